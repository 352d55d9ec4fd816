import pTimeout from 'p-timeout';
import type { BrowserStep } from '#src/domain/browser-test/steps.js';
import { expectationWords, stepTitle } from '#src/domain/browser-test/step-title.js';
import { durationMs } from '#src/domain/project-file/duration.js';
import type { BrowserTest } from '#src/domain/targets/definitions.js';
import type { AttemptVerdict } from '#src/domain/runs/run.js';
import type { StepReport } from '#src/domain/runs/run-step.js';
import { fillIn } from '#activities/fill-in.js';
import type { Attempt } from '#activities/runners/runner.js';
import type { ActionContext } from './action-context.js';
import { expectThat } from './expectations.js';
import { fillInStep, shownStep } from './fill-in-step.js';
import { performStep, unlessHung } from './perform-step.js';
import { takeScreenshot } from './take-screenshot.js';
import type { Session } from './session.js';
import { AttemptBroken, StepFailure, verdictOf } from './step-failure.js';
import { startStep } from './open-step.js';

const STEP_MS = 10_000;
/** For reading the page's title, which a hung page does not return. */
const TITLE_MS = 1000;

/** A step has failed and was reported; ends the test with its verdict. */
class TestFailed extends Error {
  constructor(readonly verdict: AttemptVerdict) {
    super(verdict.errorMessage);
  }
}

/**
 * Runs all steps of a test.
 * @param cut rejects when the steps must end: a stop, a runaway page, a closed browser
 * @returns the verdict @throws the error of `cut`, except AttemptBroken
 */
export async function runSteps(
  definition: BrowserTest,
  attempt: Attempt,
  session: Session,
  cut: Promise<never>,
): Promise<AttemptVerdict> {
  cut.catch(() => {});
  const variables = { ...attempt.variables };
  const baseUrl = definition.baseUrl === undefined ? undefined : fillIn(definition.baseUrl, variables);
  const stepMs = definition.stepTimeout === undefined ? STEP_MS : durationMs(definition.stepTimeout)!;
  const screenshots = definition.screenshots ?? 'failure';
  const isFlat = definition.steps.every((step) => step.if === undefined && step.group === undefined);
  const notes: string[] = [];
  let numbers = 0;
  /** Failed requests of the previous step, a common reason for the failure of the next one. */
  let failedBefore: string[] = [];

  async function runAll(steps: readonly BrowserStep[], depth: number): Promise<void> {
    for (const [index, step] of steps.entries()) {
      try {
        await runOne(step, depth);
      } catch (error) {
        if (error instanceof TestFailed) await skip(steps.slice(index + 1), depth);
        throw error;
      }
    }
  }

  const captureScreenshot = (number: number) =>
    Promise.race([takeScreenshot(session, attempt, `screenshots/${number}.png`), unlessBroken(cut)]);

  /** Reports the steps after a failure as skipped. */
  async function skip(steps: readonly BrowserStep[], depth: number): Promise<void> {
    for (const step of steps)
      await attempt.steps.write({
        number: ++numbers,
        depth,
        title: stepTitle(step),
        status: 'skipped',
        startedAt: new Date(),
        durationMs: 0,
      });
  }

  async function runOne(written: BrowserStep, depth: number): Promise<void> {
    const number = ++numbers;
    const shown = startStep(attempt, number, depth);
    shown.title = stepTitle(written);
    const report = (how: Pick<StepReport, 'status'> & Partial<StepReport>) => {
      const { lines, failedRequests, failedEarlier } = session.events.take();
      failedBefore = [...failedEarlier, ...failedRequests];
      return shown.end(how, lines);
    };

    try {
      const step = fillInStep(written, variables);
      shown.title = stepTitle(shownStep(written, step));
      if (step.if || step.group !== undefined) {
        await runInnerSteps(step, depth, report, (words) => (shown.title = words));
        return;
      }
      const timeoutMs = step.timeout === undefined ? stepMs : durationMs(step.timeout)!;
      const context: ActionContext = {
        session,
        attempt,
        variables,
        baseUrl,
        timeoutMs,
        takeScreenshot: (name) => takeScreenshot(session, attempt, name),
      };
      const done = await performStep(step, context, cut);
      const screenshot = done?.screenshot ?? (screenshots === 'always' ? await captureScreenshot(number) : undefined);
      await report({ status: 'passed', ...(screenshot === undefined ? {} : { screenshot }) });
    } catch (error) {
      if (error instanceof TestFailed) {
        // An inner step failed and was reported.
        await report({ status: 'failed' });
        throw error;
      }
      const verdict = verdictOf(error);
      const { lines, failedRequests, failedEarlier } = session.events.take();
      const screenshot = screenshots === 'never' ? undefined : await captureScreenshot(number);
      const why = [
        verdict.errorMessage!,
        ...[...failedBefore, ...failedEarlier].slice(0, 3).map((line) => `During the previous step, ${line}.`),
        ...failedRequests.slice(0, 3).map((line) => `During this step, ${line}.`),
      ].join('\n');
      failedBefore = [];
      await shown.end({ status: 'failed', message: why, ...(screenshot === undefined ? {} : { screenshot }) }, lines);
      if (written.optional && error instanceof StepFailure) {
        notes.push(`Step ${number} is optional and failed: ${shown.title}.`);
        return;
      }
      const of = isFlat ? ` of ${definition.steps.length}` : '';
      const pageText = await describePage(session);
      throw new TestFailed({ ...verdict, errorMessage: `Step ${number}${of}, ${shown.title}: ${why}${pageText}` });
    }
  }

  /** Runs the inner steps of a step. */
  async function runInnerSteps(
    step: BrowserStep,
    depth: number,
    report: (step: Pick<StepReport, 'status'>) => Promise<void>,
    retitle: (words: string) => void,
  ): Promise<void> {
    if (step.group !== undefined) {
      const inner = definition.groups?.[step.group];
      if (!inner) throw new StepFailure(`the group “${step.group}” does not exist.`);
      await runAll(inner, depth + 1);
      return report({ status: 'passed' });
    }
    const timeoutMs = step.timeout === undefined ? 0 : durationMs(step.timeout)!;
    const condition = expectThat(session.page, step.if!, { baseUrl, timeoutMs }).then(
      () => true,
      (error: unknown) => {
        if (error instanceof StepFailure) return false;
        throw error;
      },
    );
    const isMet = await unlessHung(condition, Math.max(timeoutMs, stepMs), cut);
    retitle(`${step.name ?? `if ${expectationWords(step.if!)}`}: ${isMet ? 'yes' : 'no'}`);
    await runAll((isMet ? step.then : step.else) ?? [], depth + 1);
    await report({ status: 'passed' });
  }

  try {
    await runAll(definition.steps, 0);
    return { status: 'passed', ...(notes.length > 0 ? { notes } : {}) };
  } catch (error) {
    if (error instanceof TestFailed) return { ...error.verdict, ...(notes.length > 0 ? { notes } : {}) };
    throw error;
  }
}

/** Rejects like `cut`, except for a broken attempt: its last page is worth a screenshot. */
const unlessBroken = (cut: Promise<never>) =>
  cut.catch((error: unknown) =>
    error instanceof AttemptBroken ? new Promise<never>(() => {}) : Promise.reject(error),
  );

/** URL and title of the page, if it responds. */
async function describePage(session: Session): Promise<string> {
  try {
    const page = session.page();
    const title = await pTimeout(page.title(), { milliseconds: TITLE_MS, message: false });
    return `\nThe page was at ${page.url()}${title ? ` (“${title.slice(0, 200)}”)` : ''}.`;
  } catch {
    return ''; // The page is closed.
  }
}
