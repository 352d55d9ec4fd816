import { ChangedMeanwhileError } from './errors.js';

/** Which revision a change was made from; `*`: whatever is there. */
export type ExpectedRevision = number | '*';

/** What is there is not what the caller read. */
export function changedMeanwhile(): ChangedMeanwhileError {
  return new ChangedMeanwhileError(
    'Somebody has changed this since you read it. Read it again and repeat your change.',
  );
}

/** @throws ChangedMeanwhileError unless a change made from `expected` fits `revision` */
export function checkRevision(expected: ExpectedRevision, revision: number): void {
  if (expected !== '*' && expected !== revision) throw changedMeanwhile();
}
