import Joi from 'joi';
import type { VNode } from 'preact';
import type { RunStatus } from '#src/domain/runs/run-status.js';
import type { SuiteRun } from '#src/domain/runs/run.js';
import { SuiteRunPage } from './page.js';
import { paging } from '#src/server/api/shapes.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import type { RunPageRequest } from '#src/web/runs/run-page-request.js';
import { statuses } from '#src/web/runs-list/query.js';

/** How many tests a page shows. */
export const TESTS_LIMIT = 100;

/** Fields that the page's address may have. */
export const suiteRunQuery: Joi.SchemaMap = {
  status: statuses,
  search: Joi.string().trim().max(200).empty(''),
  cursor: paging.cursor,
};

export interface SuiteRunQuery {
  status?: RunStatus[];
  search?: string;
  cursor?: string;
}

/** The page of a suite run. */
export async function showSuiteRun(
  { runs, stats, clock }: Pick<RouteDeps, 'runs' | 'stats' | 'clock'>,
  { _id, targetId }: SuiteRun,
  { page, project, query, temporalUrl }: RunPageRequest<SuiteRunQuery>,
): Promise<VNode> {
  const { status: statuses, search, cursor } = query;
  const filter = { statuses, search };
  const [run, tests, usualMs] = await Promise.all([
    runs.showSuite(_id),
    runs.testsOf(_id, filter, { limit: TESTS_LIMIT, cursor }),
    stats.etaOf(targetId),
  ]);
  return SuiteRunPage({ page, project, run, tests, filter, temporalUrl, usualMs, now: clock.now() });
}
