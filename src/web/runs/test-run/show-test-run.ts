import Joi from 'joi';
import type { VNode } from 'preact';
import type { TestRun } from '#src/domain/runs/run.js';
import { placeOf } from '#src/web/texts/log-place.js';
import { TestRunPage } from './page.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { outcomeOf } from './outcome.js';
import type { RunPageRequest } from '#src/web/runs/run-page-request.js';

export const logPlace = Joi.string().pattern(/^\d{1,9}\.\d{1,9}\.\d{1,9}$/);

/** The attempt whose steps are shown; none, the last. */
export const attemptNumber = Joi.number().integer().min(1).max(1000);

/** Fields that the page's address may have: the part of the log that is shown ends before a line, or has it. */
export const testRunQuery = { before: logPlace, line: logPlace, attempt: attemptNumber };
export interface TestRunQuery {
  before?: string;
  line?: string;
  attempt?: number;
}

/** The page of a test run. */
export async function showTestRun(
  { reader, runs, clock }: Pick<RouteDeps, 'reader' | 'runs' | 'clock'>,
  run: TestRun,
  { project, page, query: { before, line, attempt }, temporalUrl }: RunPageRequest<TestRunQuery>,
): Promise<VNode> {
  const place = line ? { from: placeOf(line) } : before ? { before: placeOf(before) } : {};
  const [suiteName, log, outcome] = await Promise.all([
    run.suiteRunId === undefined ? undefined : reader.nameOf(run.suiteRunId),
    runs.readLog.window(run._id, place),
    outcomeOf(runs, run, attempt),
  ]);
  return TestRunPage({ page, project, run, suiteName, log, attempt, temporalUrl, now: clock.now(), ...outcome });
}
