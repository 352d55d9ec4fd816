import Joi from 'joi';
import type { RunStep } from '#src/domain/runs/run-step.js';
import { apiRoute } from '#src/server/api/api-route.js';
import { moment } from '#src/server/api/shapes.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { ofRun, runParams, TAG, type RunParams } from './kinds.js';

const textOrNull = Joi.string().allow('', null).required();

const steps = Joi.object({
  results: Joi.array()
    .items(
      Joi.object({
        attempt: Joi.number().integer().min(1).required(),
        number: Joi.number().integer().min(1).required().description('Position in starting order, from 1.'),
        depth: Joi.number().integer().min(0).required().description('Nesting depth in groups and conditions.'),
        title: Joi.string().allow('').required().description('A description of the step.'),
        status: Joi.string().valid('passed', 'failed', 'skipped').required(),
        started: moment.required(),
        duration: Joi.number().min(0).required().description('Duration in seconds.'),
        message: textOrNull.description('Why the step failed.'),
        details: Joi.array()
          .items(Joi.string().allow(''))
          .required()
          .description('Additional details, such as console errors and failed requests.'),
        screenshot: textOrNull.description('The name of the screenshot among the artifacts of the run.'),
      }),
    )
    .required(),
});

/** GET /testruns/{runId}/steps/: the steps of a browser or HTTP test. */
export function stepsRoute(deps: RouteDeps) {
  return apiRoute<RunParams & { Query: { attempt?: number } }>({
    method: 'GET',
    path: '/testruns/{runId}/steps/',
    access: ofRun('test', 'runs.read', deps),
    summary: 'List the steps of a test run',
    description: 'The steps of a browser test or the requests of an HTTP test. Command tests have none.',
    tag: TAG,
    params: runParams,
    query: Joi.object({ attempt: Joi.number().integer().min(1).description('Default: the last attempt.') }),
    answers: { 200: { description: 'All steps of the attempt, in order.', schema: steps } },
    async handler({ params, query }) {
      const run = await deps.runs.findTest(params.runId);
      return { results: (await deps.runs.steps(run, query.attempt)).map(showStep) };
    },
  });
}

function showStep({ attempt, number, depth, title, status, startedAt, durationMs, ...more }: RunStep) {
  const { message = null, details = [], screenshot = null } = more;
  const duration = durationMs / 1000;
  return {
    attempt,
    number,
    depth,
    title,
    status,
    started: startedAt.toISOString(),
    duration,
    message,
    details,
    screenshot,
  };
}
