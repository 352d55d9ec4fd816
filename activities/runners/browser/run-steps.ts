import { setTimeout as sleep } from 'node:timers/promises';
import { actionOf, type BrowserStep } from '../../../src/domain/browser-steps.js';
import { expectationWords, stepTitle } from '../../../src/domain/browser-step-title.js';
import { durationMs } from '../../../src/domain/project-file-duration.js';
import type { BrowserTest } from '../../../src/domain/definitions.js';
import type { AttemptVerdict } from '../../../src/domain/run.js';
import type { StepReport } from '../../../src/domain/run-step.js';
import { fillIn, VariableMissingError } from '../../fill-in.js';
import type { Attempt } from '../runner.js';
import { PERFORM, type ActionContext, type ActionNotes, type SimpleAction } from './actions.js';
import { expectThat } from './expectations.js';
import { firstLine } from './explain.js';
import { fillInStep, shownStep } from './fill-in-step.js';
import { takePicture } from './picture.js';
import type { Session } from './session.js';
import { AttemptBroken, StepFailure } from './step-failure.js';

const STEP_MS = 10_000;
/** Playwright's own deadline is the step's; what hangs longer is a page whose JavaScript does not let anything through. */
const HUNG_AFTER_MS = 3000;
/** For the page's title and the like, which a hung page does not tell. */
const LOOK_MS = 1000;
/** How long after the end of a page its reason may come. */
const REASON_MS = 500;

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
    const startedAt = new Date();
    const start = performance.now();
    session.events.take();
    let title = stepTitle(written);
    const report = async (more: Pick<StepReport, 'status'> & Partial<StepReport>) => {
      const { lines } = more.details ? { lines: more.details } : session.events.take();
      const durationMs = Math.round(performance.now() - start);
      const details = lines.length > 0 ? { details: lines } : {};
      await attempt.steps.write({ number, depth, title, startedAt, durationMs, ...more, ...details });
      const mark = { passed: '✓', failed: '✗', skipped: '–' }[more.status];
      const indent = '  '.repeat(depth);
      const why = more.message === undefined ? '' : `: ${more.message}`;
      await attempt.log.write(
        more.status === 'failed' ? 'stderr' : 'stdout',
        `${indent}${mark} ${number} ${title} (${durationMs} ms)${why}\n${lines.map((line) => `${indent}    ${line}\n`).join('')}`,
      );
    };

    try {
      const step = fillInStep(written, variables);
      title = stepTitle(shownStep(written, step));
      if (step.if || step.group !== undefined) {
        await runInner(step, depth, report, (words) => (title = words));
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
      const done = await withDeadline(perform(step, context, cut), deadlineOf(step, timeoutMs), cut);
      const screenshot = done?.screenshot ?? (pictures === 'always' ? await picture(number) : undefined);
      await report({ status: 'passed', ...(screenshot === undefined ? {} : { screenshot }) });
    } catch (error) {
      if (error instanceof TestOver) {
        // Of a step in this one: told there.
        await report({ status: 'failed' });
        throw error;
      }
      const verdict = verdictOn(error);
      const { lines, failedRequests } = session.events.take();
      const screenshot = pictures === 'never' ? undefined : await picture(number);
      const why = [verdict.errorMessage!, ...failedRequests.slice(0, 3).map((line) => `Meanwhile ${line}.`)].join('\n');
      await report({
        status: 'failed',
        message: why,
        details: lines,
        ...(screenshot === undefined ? {} : { screenshot }),
      });
      if (written.optional && error instanceof StepFailure) {
        notes.push(`Step ${number} is optional and failed: ${title}.`);
        return;
      }
      const of = isFlat ? ` of ${definition.steps.length}` : '';
      const place = await whereIs(session);
      throw new TestOver({ ...verdict, errorMessage: `Step ${number}${of}, ${title}: ${why}${place}` });
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
      if (!inner) throw new StepFailure(`there is no group “${step.group}”.`);
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
    const isSo = await withDeadline(asked, Math.max(timeoutMs, stepMs), cut);
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

/** @throws StepFailure, also for what Playwright says; VariableMissingError; what `cut` rejects with */
async function perform(step: BrowserStep, context: ActionContext, cut: Promise<never>): Promise<ActionNotes | void> {
  const kind = actionOf(step) as SimpleAction;
  const act = PERFORM[kind] as (
    given: unknown,
    context: ActionContext,
    step: BrowserStep,
  ) => Promise<ActionNotes | void>;
  return act(step[kind], context, step).catch((error: unknown) => orCut(error, cut));
}

/** A page that is gone tells so before the reason is known. @throws always */
async function orCut(error: unknown, cut: Promise<never>): Promise<never> {
  if (error instanceof StepFailure || error instanceof VariableMissingError) throw error;
  const text = (error as Error).message;
  if (!/has been closed|crashed|disconnected/i.test(text)) throw new StepFailure(firstLine(text));
  await Promise.race([cut, sleep(REASON_MS)]);
  throw new StepFailure('the page was closed meanwhile.');
}

/** A wait for a time takes as long as it says. */
function deadlineOf({ waitFor }: BrowserStep, timeoutMs: number): number {
  return timeoutMs + (waitFor?.time === undefined ? 0 : durationMs(waitFor.time)!);
}

async function withDeadline<T>(work: Promise<T>, timeoutMs: number, cut: Promise<never>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const hung = new Promise<never>((_, reject) => {
    const message = `the page does not answer: its JavaScript has been busy for ${timeoutMs / 1000} s, in an endless loop perhaps.`;
    timer = setTimeout(() => reject(new StepFailure(message)), timeoutMs + HUNG_AFTER_MS);
  });
  // What it comes to later is of no interest.
  work.catch(() => {});
  try {
    return await Promise.race([work, hung, cut]);
  } finally {
    clearTimeout(timer);
  }
}

/** What an error in a step comes to. @throws what is no matter of the test */
function verdictOn(error: unknown): AttemptVerdict {
  if (error instanceof StepFailure) return { status: 'failed', errorMessage: error.message };
  if (error instanceof AttemptBroken) return error.verdict;
  if (error instanceof VariableMissingError)
    return { status: 'error', errorCode: 'VARIABLE_MISSING', errorMessage: error.message };
  throw error;
}

/** Of a page that answers. */
async function whereIs(session: Session): Promise<string> {
  try {
    const page = session.page();
    const title = await Promise.race([
      page.title(),
      new Promise<string>((done) => setTimeout(done, LOOK_MS, '').unref()),
    ]);
    return `\nThe page was ${page.url()}${title ? ` (“${title.slice(0, 200)}”)` : ''}.`;
  } catch {
    return ''; // It is closed.
  }
}
