import Joi from 'joi';
import type { VNode } from 'preact';
import type { TestRun } from '../../../../domain/run.js';
import { placeOf } from '../../../../web/log-place.js';
import { TestRunPage } from '../../../../web/pages/runs/test-run-page.js';
import type { RouteDeps } from '../../../context.js';
import { shownArtifacts } from './artifacts.js';
import { shownCases } from './cases.js';
import type { RunPageRequest } from './show.js';

export const logPlace = Joi.string().pattern(/^\d{1,9}\.\d{1,9}\.\d{1,9}$/);

/** Fields that the page's address may have: the part of the log that is shown ends before a line, or has it. */
export const testRunQuery = { before: logPlace, line: logPlace };
export interface TestRunQuery {
  before?: string;
  line?: string;
}

/** The page of a test run. */
export async function showTestRun(
  { reader, runs }: Pick<RouteDeps, 'reader' | 'runs'>,
  run: TestRun,
  { project, page, query: { before, line }, temporalUrl }: RunPageRequest<TestRunQuery>,
): Promise<VNode> {
  const wanted = line ? { from: placeOf(line) } : before ? { before: placeOf(before) } : {};
  const [suiteName, log, artifacts, cases] = await Promise.all([
    run.suiteRunId === undefined ? undefined : reader.nameOf(run.suiteRunId),
    runs.readLog.window(run._id, wanted),
    shownArtifacts(runs, run._id),
    shownCases(runs, run),
  ]);
  return TestRunPage({ page, project, run, suiteName, log, artifacts, cases, temporalUrl, now: new Date() });
}
