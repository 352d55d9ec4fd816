import { ChangedMeanwhileError } from '#src/domain/errors.js';

/** The revision that a change is based on; `*`: any. */
export type ExpectedRevision = number | '*';

/** The revision has changed since the caller read it. */
export function changedMeanwhile(): ChangedMeanwhileError {
  return new ChangedMeanwhileError(
    'This was changed by someone else since you read it. Read it again and repeat your change.',
  );
}

/** @throws ChangedMeanwhileError unless a change made from `expected` fits `revision` */
export function checkRevision(expected: ExpectedRevision, revision: number): void {
  if (expected !== '*' && expected !== revision) throw changedMeanwhile();
}
