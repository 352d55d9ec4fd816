import { setTimeout as sleep } from 'node:timers/promises';
import pTimeout from 'p-timeout';
import { actionOf, type BrowserStep } from '#src/domain/browser-test/steps.js';
import { durationMs } from '#src/domain/project-file/duration.js';
import { VariableMissingError } from '#activities/fill-in.js';
import { PERFORM, type ActionResult, type SimpleAction } from './actions.js';
import type { ActionContext } from './action-context.js';
import { firstLine } from './explain.js';
import { StepFailure } from './step-failure.js';

/** Playwright enforces the step's timeout, unless the page's JavaScript blocks everything. */
const HUNG_AFTER_MS = 3000;
/** How long after a page has closed its reason may arrive, in ms. */
const REASON_MS = 500;

/**
 * Performs one step without inner steps within its timeout; variables are already substituted.
 * @param cut rejects when the attempt must end
 * @throws StepFailure, also for Playwright's errors; VariableMissingError; the error of `cut`
 */
export function performStep(
  step: BrowserStep,
  context: ActionContext,
  cut: Promise<never>,
): Promise<ActionResult | void> {
  const kind = actionOf(step) as SimpleAction;
  const act = PERFORM[kind] as (
    given: unknown,
    context: ActionContext,
    step: BrowserStep,
  ) => Promise<ActionResult | void>;
  const done = act(step[kind], context, step).catch((error: unknown) => orCut(error, cut));
  // Waiting for a fixed time is added to the timeout.
  const waitMs = step.waitFor?.time === undefined ? 0 : durationMs(step.waitFor.time)!;
  return unlessHung(done, context.timeoutMs + waitMs, cut);
}

/** A closed page causes an error before the reason is known. @throws always */
async function orCut(error: unknown, cut: Promise<never>): Promise<never> {
  if (error instanceof StepFailure || error instanceof VariableMissingError) throw error;
  const text = (error as Error).message;
  if (!/has been closed|crashed|disconnected/i.test(text)) throw new StepFailure(firstLine(text));
  await Promise.race([cut, sleep(REASON_MS)]);
  throw new StepFailure('the page was closed during the step.');
}

/**
 * Waits for work that has its own deadline, `timeoutMs`, unless the page does not respond at all.
 * @throws StepFailure; the error of `work` or `cut`
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
