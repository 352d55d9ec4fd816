import type { AttemptVerdict } from '#src/domain/runs/run.js';
import { VariableMissingError } from '#activities/fill-in.js';

/** A step failed, and the test with it. The message is shown to users. */
export class StepFailure extends Error {
  override name = 'StepFailure';
}

/** The attempt cannot continue at any step: a page crashed or exceeded a limit. */
export class AttemptBroken extends Error {
  override name = 'AttemptBroken';
  /** @param verdict of the attempt; its message completes `Step 3, click …: ` */
  constructor(readonly verdict: AttemptVerdict) {
    super(verdict.errorMessage);
  }
}

/** The verdict for an error of a step or before the first one. @throws errors of the infrastructure */
export function verdictOf(error: unknown): AttemptVerdict {
  if (error instanceof StepFailure) return { status: 'failed', errorMessage: error.message };
  if (error instanceof AttemptBroken) return error.verdict;
  if (error instanceof VariableMissingError)
    return { status: 'error', errorCode: 'VARIABLE_MISSING', errorMessage: error.message };
  throw error;
}
