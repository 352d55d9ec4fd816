import Joi from 'joi';
import { RUN_STATUSES } from '../../../../domain/run-status.js';
import type { AttemptRecord } from '../../../../domain/run.js';
import type { ShownRun } from '../../../../services/runs/show-run.js';
import { moment } from '../../../api/shapes.js';
import { listedTestRun, showListed, suiteRunFields, testRunFields } from './run-shape.js';
import { shownVariables, showVariables } from './variable-shapes.js';

const definition = Joi.object()
  .unknown()
  .required()
  .description('The test or suite as it was at the trigger; times in ms.');

const attempt = Joi.object({
  number: Joi.number().integer().min(1).required(),
  delivery: Joi.number().integer().min(1).required().description('Above 1 when a worker was lost.'),
  worker: Joi.string().required(),
  started: moment.required(),
  ended: moment.allow(null).required(),
  status: Joi.string()
    .valid('running', ...RUN_STATUSES)
    .required(),
  exitCode: Joi.number().integer().allow(null).required(),
  errorCode: Joi.string().allow(null).required(),
  errorMessage: Joi.string().allow('', null).required(),
  commit: Joi.string().allow(null).required().description('Of a test from a repository: what it ran on.'),
  limits: Joi.string().allow(null).required().description('What was in force, and by which means.'),
  notes: Joi.array().items(Joi.string()).required().description('What a person should know beside the verdict.'),
});

export const testRunDetails = Joi.object({
  ...testRunFields,
  attempts: Joi.array().items(attempt).required(),
  variables: shownVariables.description('Its own; a suite’s tests have those of their suite run.'),
  definition,
});

export const suiteRunDetails = Joi.object({
  ...suiteRunFields,
  variables: shownVariables,
  definition,
  counts: Joi.object(Object.fromEntries(RUN_STATUSES.map((status) => [status, Joi.number().integer().required()])))
    .required()
    .description('How many of its tests have each status.'),
  parallelRun: Joi.boolean().required(),
  parallelSlots: Joi.number().integer().required(),
  runMode: Joi.string().valid('parallel', 'sequence').required(),
  testRuns: Joi.array()
    .items(listedTestRun)
    .required()
    .description('The first 1,000; GET /suiteruns/{runId}/testruns/ has all.'),
});

function showAttempt({ number, delivery, worker, startedAt, endedAt, verdict }: AttemptRecord) {
  return {
    number,
    delivery,
    worker,
    started: startedAt.toISOString(),
    ended: endedAt?.toISOString() ?? null,
    status: verdict?.status ?? 'running',
    exitCode: verdict?.exitCode ?? null,
    errorCode: verdict?.errorCode ?? null,
    errorMessage: verdict?.errorMessage ?? null,
    commit: verdict?.commit ?? null,
    limits: verdict?.limits ?? null,
    notes: verdict?.notes ?? [],
  };
}

/** A run with all that is known of it. */
export function showDetails(run: ShownRun, publicUrl: string) {
  const { definition, variables = [] } = run;
  const shown = { ...showListed(run, publicUrl), variables: showVariables(variables), definition };
  if (run.kind === 'test') return { ...shown, attempts: run.attempts.map(showAttempt) };
  const { counts, testRuns, definition: suite } = run;
  return {
    ...shown,
    counts,
    parallelRun: suite.parallelism > 1,
    parallelSlots: suite.parallelism,
    runMode: suite.parallelism > 1 ? 'parallel' : 'sequence',
    testRuns: testRuns.map((test) => showListed(test, publicUrl)),
  };
}
