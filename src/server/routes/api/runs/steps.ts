import Joi from 'joi';
import type { RunStep } from '../../../../domain/run-step.js';
import { apiRoute } from '../../../api/api-route.js';
import { moment } from '../../../api/shapes.js';
import type { RouteDeps } from '../../../context.js';
import { ofRun, runParams, TAG, type RunParams } from './kinds.js';

const step = Joi.object({
  attempt: Joi.number().integer().min(1).required(),
  number: Joi.number().integer().min(1).required().description('In the order in which they began.'),
  depth: Joi.number().integer().min(0).required().description('How deep in groups and conditions.'),
  title: Joi.string().allow('').required().description('What it does, in words.'),
  status: Joi.string().valid('passed', 'failed', 'skipped').required(),
  started: moment.required(),
  duration: Joi.number().min(0).required().description('In seconds.'),
  message: Joi.string().allow('', null).required().description('Why it failed.'),
  details: Joi.array().items(Joi.string().allow('')).required(),
  screenshot: Joi.string().allow(null).required().description('Name of its picture among the artifacts.'),
});

/** GET /testruns/{runId}/steps/: what an attempt did, of browser and HTTP tests. */
export function stepsRoute(deps: RouteDeps) {
  return apiRoute<RunParams & { Query: { attempt?: number } }>({
    method: 'GET',
    path: '/testruns/{runId}/steps/',
    access: ofRun('test', 'runs.read', deps),
    summary: 'Steps of a test run',
    description: 'Of a browser test, or the requests of an HTTP test; those of one attempt, in order.',
    tag: TAG,
    params: runParams,
    query: Joi.object({ attempt: Joi.number().integer().min(1).description('The last one.') }),
    answers: {
      200: { description: 'The steps.', schema: Joi.object({ results: Joi.array().items(step).required() }) },
    },
    async handler(request) {
      const run = await deps.runs.findTest(request.params.runId);
      return { results: (await deps.runs.steps(run, request.query.attempt)).map(showStep) };
    },
  });
}

function showStep({ attempt, number, depth, title, status, startedAt, durationMs, ...rest }: RunStep) {
  return {
    attempt,
    number,
    depth,
    title,
    status,
    started: startedAt.toISOString(),
    duration: durationMs / 1000,
    message: rest.message ?? null,
    details: rest.details ?? [],
    screenshot: rest.screenshot ?? null,
  };
}
