import Joi from 'joi';
import type { RunKind } from '../../../../domain/run.js';
import { inProject, principalOf } from '../../../access.js';
import { apiRoute } from '../../../api/api-route.js';
import { listAnswer, pageRequestOf } from '../../../api/paging.js';
import { listOf, paging, projectParams, uuid } from '../../../api/shapes.js';
import type { RouteDeps } from '../../../context.js';
import { KINDS, ofRun, runParams, TAG, type RunParams } from './kinds.js';
import { filters, listRequestOf, type ListQuery } from './list-query.js';
import { listedSuiteRun, listedTestRun, showListed } from './run-shape.js';

const WHICH = 'Newest first. A suite’s tests are listed with their suite run, or with `targetId`.';

/** GET /testruns/ and /suiteruns/: runs of all projects that the caller may see. */
export function listRoute(kind: RunKind, { runs, publicUrl }: RouteDeps) {
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
      return listAnswer(request, publicUrl, page, (run) => showListed(run, publicUrl));
    },
  });
}

/** GET /projects/{projectId}/runs/. */
export function projectRunsRoute({ runs, publicUrl }: RouteDeps) {
  return apiRoute<{ Params: { projectId: string }; Query: ListQuery }>({
    method: 'GET',
    path: '/projects/{projectId}/runs/',
    access: inProject('runs.read'),
    summary: 'List a project’s runs',
    description: WHICH,
    tag: TAG,
    params: projectParams,
    query: Joi.object({ ...filters, kind: Joi.string().valid('test', 'suite') }),
    answers: {
      200: { description: 'A page of runs.', schema: listOf(Joi.alternatives(listedTestRun, listedSuiteRun)) },
    },
    async handler(request) {
      const { query, params } = request;
      const wanted = { ...listRequestOf(query), projectId: params.projectId };
      const page = await runs.list(principalOf(request), wanted, pageRequestOf(query));
      return listAnswer(request, publicUrl, page, (run) => showListed(run, publicUrl));
    },
  });
}

/** GET /suiteruns/{runId}/testruns/. */
export function suiteTestsRoute(deps: RouteDeps) {
  return apiRoute<RunParams & { Query: { limit: number; cursor?: string } }>({
    method: 'GET',
    path: '/suiteruns/{runId}/testruns/',
    access: ofRun('suite', 'runs.read', deps),
    summary: 'Tests of a suite run, in order',
    tag: TAG,
    params: runParams,
    query: Joi.object(paging),
    answers: { 200: { description: 'A page of its test runs.', schema: listOf(listedTestRun) } },
    async handler(request) {
      const page = await deps.runs.testsOf(request.params.runId, {}, pageRequestOf(request.query));
      return listAnswer(request, deps.publicUrl, page, (run) => showListed(run, deps.publicUrl));
    },
  });
}
