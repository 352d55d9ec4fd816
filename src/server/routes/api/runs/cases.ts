import Joi from 'joi';
import { CASE_STATUSES, type CaseStatus, type TestCase } from '#src/domain/runs/test-case.js';
import { apiRoute } from '#src/server/api/api-route.js';
import { listAnswer, pageRequestOf } from '#src/server/api/paging.js';
import { listOf, paging } from '#src/server/api/shapes.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { ofRun, runParams, TAG, type RunParams } from './kinds.js';

const status = Joi.string().valid(...CASE_STATUSES);
const textOrNull = Joi.string().allow('', null).required();

const testCase = Joi.object({
  attempt: Joi.number().integer().min(1).required(),
  number: Joi.number().integer().min(1).required().description('Position in the result files, from 1.'),
  group: Joi.string().allow('').required().description('The class or test suites that contain the case.'),
  name: Joi.string().allow('').required(),
  status: status.required(),
  duration: Joi.number().min(0).allow(null).required().description('Duration in seconds.'),
  message: textOrNull.description('Why the case did not pass, on one line.'),
  details: textOrNull.description('The full failure.'),
  output: textOrNull.description('The output of the case.'),
});

interface Query {
  attempt?: number;
  status?: CaseStatus[];
  limit: number;
  cursor?: string;
}

/** GET /testruns/{runId}/cases/: the cases of a run's results. */
export function casesRoute(deps: RouteDeps) {
  return apiRoute<RunParams & { Query: Query }>({
    method: 'GET',
    path: '/testruns/{runId}/cases/',
    access: ofRun('test', 'runs.read', deps),
    summary: 'List the cases of a test run',
    description: 'Cases from the JUnit files of the run: errors and failures first, the others in file order.',
    tag: TAG,
    params: runParams,
    query: Joi.object({
      ...paging,
      attempt: Joi.number().integer().min(1).description('Default: the last attempt with cases.'),
      status: Joi.array().items(status).single().unique().description('Repeat the parameter for several values.'),
    }),
    answers: { 200: { description: 'A page of cases.', schema: listOf(testCase) } },
    async handler(request) {
      const { attempt, status: statuses } = request.query;
      const run = await deps.runs.findTest(request.params.runId);
      const page = await deps.runs.cases(run, { attempt, statuses }, pageRequestOf(request.query));
      return listAnswer(request, deps.publicUrl, page, showCase);
    },
  });
}

export function showCase({ attempt, number, group, name, status, durationMs, message, details, output }: TestCase) {
  return {
    attempt,
    number,
    group,
    name,
    status,
    duration: durationMs === undefined ? null : durationMs / 1000,
    message: message ?? null,
    details: details ?? null,
    output: output ?? null,
  };
}
