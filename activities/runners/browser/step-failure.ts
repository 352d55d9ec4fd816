import type { AttemptVerdict } from '../../../src/domain/run.js';

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
