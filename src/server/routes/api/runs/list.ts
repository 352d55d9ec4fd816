import Joi from 'joi';
import type { TargetKind } from '#src/domain/targets/target-kind.js';
import { inProject, principalOf } from '#src/server/http/route-access.js';
import { apiRoute } from '#src/server/api/api-route.js';
import { listAnswer, pageRequestOf } from '#src/server/api/paging.js';
import { listOf, paging, projectParams, uuid } from '#src/server/api/shapes.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { KINDS, ofRun, runParams, TAG, type RunParams } from './kinds.js';
import { filters, listRequestOf, type ListQuery } from './list-query.js';
import { listedSuiteRun, listedTestRun, showListed } from './run-shape.js';

const WHICH = 'Runs, newest first. Test runs within a suite run are only listed there, or if `targetId` is set.';

/** GET /testruns/ and /suiteruns/: runs of all projects visible to the caller. */
export function listRoute(kind: TargetKind, { runs, publicUrl, clock }: RouteDeps) {
  const { path, one, listed } = KINDS[kind];
  return apiRoute<{ Query: ListQuery }>({
    method: 'GET',
    path,
    access: { right: 'self.read' },
    summary: `List ${one}s`,
    description: WHICH,
    tag: TAG,
    query: Joi.object({ ...filters, projectId: uuid }),
    answers: { 200: { description: 'A page of runs.', schema: listOf(listed) } },
    async handler(request) {
      const { query } = request;
      const page = await runs.list(principalOf(request), { ...listRequestOf(query), kind }, pageRequestOf(query));
      const now = clock.now();
      return listAnswer(request, publicUrl, page, (run) => showListed(run, publicUrl, now));
    },
  });
}

/** GET /projects/{projectId}/runs/. */
export function projectRunsRoute({ runs, publicUrl, clock }: RouteDeps) {
  return apiRoute<{ Params: { projectId: string }; Query: ListQuery }>({
    method: 'GET',
    path: '/projects/{projectId}/runs/',
    access: inProject('runs.read'),
    summary: 'List the runs of a project',
    description: WHICH,
    tag: TAG,
    params: projectParams,
    query: Joi.object({ ...filters, kind: Joi.string().valid('test', 'suite') }),
    answers: {
      200: { description: 'A page of runs.', schema: listOf(Joi.alternatives(listedTestRun, listedSuiteRun)) },
    },
    async handler(request) {
      const { query, params } = request;
      const filter = { ...listRequestOf(query), projectId: params.projectId };
      const page = await runs.list(principalOf(request), filter, pageRequestOf(query));
      const now = clock.now();
      return listAnswer(request, publicUrl, page, (run) => showListed(run, publicUrl, now));
    },
  });
}

/** GET /suiteruns/{runId}/testruns/. */
export function suiteTestsRoute(deps: RouteDeps) {
  return apiRoute<RunParams & { Query: { limit: number; cursor?: string } }>({
    method: 'GET',
    path: '/suiteruns/{runId}/testruns/',
    access: ofRun('suite', 'runs.read', deps),
    summary: 'List the test runs of a suite run',
    tag: TAG,
    params: runParams,
    query: Joi.object(paging),
    answers: { 200: { description: 'A page of test runs, in the order of the suite.', schema: listOf(listedTestRun) } },
    async handler(request) {
      const page = await deps.runs.testsOf(request.params.runId, {}, pageRequestOf(request.query));
      const now = deps.clock.now();
      return listAnswer(request, deps.publicUrl, page, (run) => showListed(run, deps.publicUrl, now));
    },
  });
}
