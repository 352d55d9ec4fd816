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
import { takePicture } from './picture.js';
import type { Session } from './session.js';
import { AttemptBroken, StepFailure, verdictOn } from './step-failure.js';
import { openStep } from './step-report.js';

const STEP_MS = 10_000;
/** For the page's title and the like, which a hung page does not tell. */
const LOOK_MS = 1000;

/** A step has failed, and with it the test: told already, and the verdict is in it. */
class TestOver extends Error {
  constructor(readonly verdict: AttemptVerdict) {
    super(verdict.errorMessage);
  }
}

/**
 * Runs all steps of a test.
 * @param cut rejects when they must end: a stop, a page that goes on without end, a browser that is gone
 * @returns the verdict @throws what `cut` rejects with, but AttemptBroken
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
  const pictures = definition.screenshots ?? 'failure';
  const isFlat = definition.steps.every((step) => step.if === undefined && step.group === undefined);
  const notes: string[] = [];
  let numbers = 0;
  /** Requests that failed in the step before: the usual reason why what should follow does not. */
  let failedBefore: string[] = [];

  async function runAll(steps: readonly BrowserStep[], depth: number): Promise<void> {
    for (const [index, step] of steps.entries()) {
      try {
        await runOne(step, depth);
      } catch (error) {
        if (error instanceof TestOver) await skip(steps.slice(index + 1), depth);
        throw error;
      }
    }
  }

  const picture = (number: number) =>
    Promise.race([takePicture(session, attempt, `screenshots/${number}.png`), cutBy(cut, AttemptBroken)]);

  /** What comes behind a failure is shown too: it was not done. */
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
    const shown = openStep(attempt, number, depth);
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
        await runInner(step, depth, report, (words) => (shown.title = words));
        return;
      }
      const timeoutMs = step.timeout === undefined ? stepMs : durationMs(step.timeout)!;
      const context: ActionContext = {
        session,
        attempt,
        variables,
        baseUrl,
        timeoutMs,
        takePicture: (name) => takePicture(session, attempt, name),
      };
      const done = await performStep(step, context, cut);
      const screenshot = done?.screenshot ?? (pictures === 'always' ? await picture(number) : undefined);
      await report({ status: 'passed', ...(screenshot === undefined ? {} : { screenshot }) });
    } catch (error) {
      if (error instanceof TestOver) {
        // Of a step in this one: told there.
        await report({ status: 'failed' });
        throw error;
      }
      const verdict = verdictOn(error);
      const { lines, failedRequests, failedEarlier } = session.events.take();
      const screenshot = pictures === 'never' ? undefined : await picture(number);
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
      const place = await whereIs(session);
      throw new TestOver({ ...verdict, errorMessage: `Step ${number}${of}, ${shown.title}: ${why}${place}` });
    }
  }

  /** Steps in a step. */
  async function runInner(
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
    const asked = expectThat(session.page, step.if!, { baseUrl, timeoutMs }).then(
      () => true,
      (error: unknown) => {
        if (error instanceof StepFailure) return false;
        throw error;
      },
    );
    const isSo = await unlessHung(asked, Math.max(timeoutMs, stepMs), cut);
    retitle(`${step.name ?? `if ${expectationWords(step.if!)}`}: ${isSo ? 'yes' : 'no'}`);
    await runAll((isSo ? step.then : step.else) ?? [], depth + 1);
    await report({ status: 'passed' });
  }

  try {
    await runAll(definition.steps, 0);
    return { status: 'passed', ...(notes.length > 0 ? { notes } : {}) };
  } catch (error) {
    if (error instanceof TestOver) return { ...error.verdict, ...(notes.length > 0 ? { notes } : {}) };
    throw error;
  }
}

/** Of what a page did there is a picture even when that ends the test. */
const cutBy = (cut: Promise<never>, not: typeof AttemptBroken) =>
  cut.catch((error: unknown) => (error instanceof not ? new Promise<never>(() => {}) : Promise.reject(error)));

/** Of a page that answers. */
async function whereIs(session: Session): Promise<string> {
  try {
    const page = session.page();
    const title = await pTimeout(page.title(), { milliseconds: LOOK_MS, message: false });
    return `\nThe page was at ${page.url()}${title ? ` (“${title.slice(0, 200)}”)` : ''}.`;
  } catch {
    return ''; // It is closed.
  }
}
