import Joi from 'joi';
import type { ServerRoute } from '@hapi/hapi';
import { attemptsWithCases } from '#src/domain/runs/cases-of-run.js';
import { NotFoundError } from '#src/domain/errors.js';
import type { PageRequest } from '#src/domain/page.js';
import type { TestRun } from '#src/domain/runs/run.js';
import { CASE_STATUSES, type CaseStatus } from '#src/domain/runs/test-case.js';
import { RESOURCE_NOT_FOUND } from '#src/services/access/access-control.js';
import type { ShownCases } from '#src/web/components/run/cases.js';
import { CasesPage } from './page.js';
import { paging } from '#src/server/api/shapes.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { projectContextOf } from '#src/server/pages/page-context-of.js';
import { pageRoute } from '#src/server/pages/page-route.js';
import { ofAnyRun, type RunParams } from '#src/web/runs/run-access.js';

/** On the page of a run. */
const FIRST: PageRequest = { limit: 50 };

interface Query {
  attempt?: number;
  status?: CaseStatus;
  cursor?: string;
}

/** Cases of a run, for its page; undefined where it has none. A run without results is not asked about. */
export async function shownCases(
  runs: Pick<RouteDeps['runs'], 'cases'>,
  run: TestRun,
  { attempt: number, status }: Query = {},
  request = FIRST,
): Promise<ShownCases | undefined> {
  const attempts = attemptsWithCases(run);
  const attempt = attempts.findLast((one) => number === undefined || one.number === number);
  if (!attempt) return undefined;
  const page = await runs.cases(run, { attempt: attempt.number, statuses: status && [status] }, request);
  return { runId: run._id, attempts, attempt, status, page };
}

/** GET /runs/{runId}/cases: all of them, by status and attempt. */
export function casesPageRoute(deps: RouteDeps): ServerRoute {
  return pageRoute<RunParams & { Query: Query }>({
    path: '/runs/{runId}/cases',
    access: ofAnyRun('runs.read', deps),
    query: {
      attempt: Joi.number().integer().min(1),
      status: Joi.string().valid(...CASE_STATUSES),
      cursor: paging.cursor,
    },
    async show(request, page) {
      const { run, projectName } = await deps.reader.find(request.params.runId);
      if (run.kind !== 'test') throw new NotFoundError(RESOURCE_NOT_FOUND);
      const { query } = request;
      const pageRequest = { limit: 100, cursor: query.cursor };
      const cases = await shownCases(deps.runs, run, query, pageRequest);
      const project = projectContextOf(request, { name: projectName });
      return CasesPage({ page, project, runId: run._id, targetName: run.targetName, cases });
    },
  });
}
