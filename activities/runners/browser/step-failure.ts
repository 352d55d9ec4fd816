import type { AttemptVerdict } from '#src/domain/runs/run.js';
import { VariableMissingError } from '#activities/fill-in.js';

/** A step did not come out as it should: the test's own verdict. The message is for people. */
export class StepFailure extends Error {
  override name = 'StepFailure';
}

/** The attempt cannot go on, whatever step it is at: a page that crashed or that would go on for ever. */
export class AttemptBroken extends Error {
  override name = 'AttemptBroken';
  /** @param verdict what it comes to; its message completes `Step 3, click …: ` */
  constructor(readonly verdict: AttemptVerdict) {
    super(verdict.errorMessage);
  }
}

/** What an error of a step, or on the way to the first, comes to. @throws what is no matter of the test, but infrastructure */
export function verdictOn(error: unknown): AttemptVerdict {
  if (error instanceof StepFailure) return { status: 'failed', errorMessage: error.message };
  if (error instanceof AttemptBroken) return error.verdict;
  if (error instanceof VariableMissingError)
    return { status: 'error', errorCode: 'VARIABLE_MISSING', errorMessage: error.message };
  throw error;
}
