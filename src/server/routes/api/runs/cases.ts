import Joi from 'joi';
import { CASE_STATUSES, type CaseStatus, type TestCase } from '../../../../domain/test-case.js';
import { apiRoute } from '../../../api/api-route.js';
import { listAnswer, pageRequestOf } from '../../../api/paging.js';
import { listOf, paging } from '../../../api/shapes.js';
import type { RouteDeps } from '../../../context.js';
import { ofRun, runParams, TAG, type RunParams } from './kinds.js';

const status = Joi.string().valid(...CASE_STATUSES);
const textOrNull = Joi.string().allow('', null).required();

const testCase = Joi.object({
  attempt: Joi.number().integer().min(1).required(),
  number: Joi.number().integer().min(1).required().description('In the order of the files.'),
  group: Joi.string().allow('').required().description('Its class, or the suites around it.'),
  name: Joi.string().allow('').required(),
  status: status.required(),
  duration: Joi.number().min(0).allow(null).required().description('In seconds.'),
  message: textOrNull.description('Why it did not pass, in a line.'),
  details: textOrNull.description('The whole failure.'),
  output: textOrNull.description('What it printed.'),
});

interface Query {
  attempt?: number;
  status?: CaseStatus[];
  limit: number;
  cursor?: string;
}

/** GET /testruns/{runId}/cases/: the cases of its results. */
export function casesRoute(deps: RouteDeps) {
  return apiRoute<RunParams & { Query: Query }>({
    method: 'GET',
    path: '/testruns/{runId}/cases/',
    access: ofRun('test', 'runs.read', deps),
    summary: 'Cases of a test run',
    description: 'Of its JUnit files. Errors and failures first, then in the order of the files.',
    tag: TAG,
    params: runParams,
    query: Joi.object({
      ...paging,
      attempt: Joi.number().integer().min(1).description('The last one that has cases.'),
      status: Joi.array().items(status).single().unique().description('Several: repeat the parameter.'),
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

function showCase({ attempt, number, group, name, status, durationMs, message, details, output }: TestCase) {
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
