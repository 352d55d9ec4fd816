import { setTimeout as sleep } from 'node:timers/promises';
import pTimeout from 'p-timeout';
import { actionOf, type BrowserStep } from '#src/domain/browser-test/steps.js';
import { durationMs } from '#src/domain/project-file/duration.js';
import { VariableMissingError } from '#activities/fill-in.js';
import { PERFORM, type ActionNotes, type SimpleAction } from './actions.js';
import type { ActionContext } from './action-context.js';
import { firstLine } from './explain.js';
import { StepFailure } from './step-failure.js';

/** Playwright's own deadline is the step's; what hangs longer is a page whose JavaScript does not let anything through. */
const HUNG_AFTER_MS = 3000;
/** How long after the end of a page its reason may come. */
const REASON_MS = 500;

/**
 * Does one step that holds no others, its variables in place, within its time.
 * @param cut rejects when the attempt must end
 * @throws StepFailure, also for what Playwright says; VariableMissingError; what `cut` rejects with
 */
export function performStep(
  step: BrowserStep,
  context: ActionContext,
  cut: Promise<never>,
): Promise<ActionNotes | void> {
  const kind = actionOf(step) as SimpleAction;
  const act = PERFORM[kind] as (
    given: unknown,
    context: ActionContext,
    step: BrowserStep,
  ) => Promise<ActionNotes | void>;
  const done = act(step[kind], context, step).catch((error: unknown) => orCut(error, cut));
  // A wait for a time takes as long as it says.
  const waitMs = step.waitFor?.time === undefined ? 0 : durationMs(step.waitFor.time)!;
  return unlessHung(done, context.timeoutMs + waitMs, cut);
}

/** A page that is gone tells so before the reason is known. @throws always */
async function orCut(error: unknown, cut: Promise<never>): Promise<never> {
  if (error instanceof StepFailure || error instanceof VariableMissingError) throw error;
  const text = (error as Error).message;
  if (!/has been closed|crashed|disconnected/i.test(text)) throw new StepFailure(firstLine(text));
  await Promise.race([cut, sleep(REASON_MS)]);
  throw new StepFailure('the page was closed during the step.');
}

/**
 * Waits for work on a page that has a deadline of its own, `timeoutMs`, but for a page that answers nothing.
 * @throws StepFailure; what `work` or `cut` rejects with
 */
export function unlessHung<T>(work: Promise<T>, timeoutMs: number, cut: Promise<never>): Promise<T> {
  return pTimeout(Promise.race([work, cut]), {
    milliseconds: timeoutMs + HUNG_AFTER_MS,
    fallback: () => {
      throw new StepFailure(
        `the page does not respond: its JavaScript has been running for ${timeoutMs / 1000} s, possibly in an infinite loop.`,
      );
    },
  });
}
