import Joi from 'joi';
import type { RunStep } from '../../../../domain/run-step.js';
import { apiRoute } from '../../../api/api-route.js';
import { moment } from '../../../api/shapes.js';
import type { RouteDeps } from '../../../context.js';
import { ofRun, runParams, TAG, type RunParams } from './kinds.js';

const textOrNull = Joi.string().allow('', null).required();

const steps = Joi.object({
  results: Joi.array()
    .items(
      Joi.object({
        attempt: Joi.number().integer().min(1).required(),
        number: Joi.number().integer().min(1).required().description('In the order in which they began.'),
        depth: Joi.number().integer().min(0).required().description('How deep in groups and conditions.'),
        title: Joi.string().allow('').required().description('What it does, in words.'),
        status: Joi.string().valid('passed', 'failed', 'skipped').required(),
        startedAt: moment.required(),
        duration: Joi.number().min(0).required().description('In seconds.'),
        message: textOrNull.description('Why it failed.'),
        details: Joi.array()
          .items(Joi.string().allow(''))
          .required()
          .description('What else is known: errors on the console, requests that failed.'),
        screenshot: textOrNull.description('Name of its picture among the files of the run.'),
      }),
    )
    .required(),
});

/** GET /testruns/{runId}/steps/: what a browser or HTTP test did, step by step. */
export function stepsRoute(deps: RouteDeps) {
  return apiRoute<RunParams & { Query: { attempt?: number } }>({
    method: 'GET',
    path: '/testruns/{runId}/steps/',
    access: ofRun('test', 'runs.read', deps),
    summary: 'Steps of a test run',
    description: 'Of a browser test, or the requests of an HTTP test; a command has none.',
    tag: TAG,
    params: runParams,
    query: Joi.object({ attempt: Joi.number().integer().min(1).description('The last one.') }),
    answers: { 200: { description: 'All steps of an attempt, in order.', schema: steps } },
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
    startedAt: startedAt.toISOString(),
    duration,
    message,
    details,
    screenshot,
  };
}
