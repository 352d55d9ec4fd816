import Joi from 'joi';
import { RUN_STATUSES } from '#src/domain/runs/run-status.js';
import type { AttemptRecord } from '#src/domain/runs/run.js';
import type { ShownRun, ShownSuiteRun, ShownTestRun } from '#src/services/runs/show-run.js';
import { moment } from '#src/server/api/shapes.js';
import { listedTestRun, showListedSuite, showListedTest, suiteRunFields, testRunFields } from './run-shape.js';
import { shownVariables, showVariables } from '#src/server/routes/api/variables/variable-shapes.js';
import { ISOLATION_LEVELS } from '#src/domain/runs/isolation-level.js';

const definition = Joi.object()
  .unknown()
  .required()
  .description('The test or suite definition at the time of the trigger; durations in ms.');

const attempt = Joi.object({
  number: Joi.number().integer().min(1).required(),
  delivery: Joi.number()
    .integer()
    .min(1)
    .required()
    .description('Greater than 1 if a worker was lost during the attempt.'),
  worker: Joi.string().required(),
  started: moment.required(),
  ended: moment.allow(null).required(),
  status: Joi.string()
    .valid('running', ...RUN_STATUSES)
    .required(),
  exitCode: Joi.number().integer().allow(null).required(),
  errorCode: Joi.string().allow(null).required(),
  errorMessage: Joi.string().allow('', null).required(),
  commit: Joi.string()
    .allow(null)
    .required()
    .description('The commit that was tested, for tests from a Git repository.'),
  limits: Joi.string().allow(null).required().description('The limits in force and how they were enforced.'),
  isolation: Joi.string()
    .valid(...ISOLATION_LEVELS)
    .allow(null)
    .required()
    .description('How the commands of the attempt were isolated from the machine of the worker.'),
  notes: Joi.array().items(Joi.string()).required().description('Additional remarks on the verdict.'),
});

export const testRunDetails = Joi.object({
  ...testRunFields,
  attempts: Joi.array().items(attempt).required(),
  variables: shownVariables.description('Variables of this run; test runs of a suite have those of the suite run.'),
  definition,
});

export const suiteRunDetails = Joi.object({
  ...suiteRunFields,
  variables: shownVariables,
  definition,
  counts: Joi.object(Object.fromEntries(RUN_STATUSES.map((status) => [status, Joi.number().integer().required()])))
    .required()
    .description('Number of test runs by status.'),
  parallelRun: Joi.boolean().required(),
  parallelSlots: Joi.number().integer().required(),
  runMode: Joi.string().valid('parallel', 'sequence').required(),
  testRuns: Joi.array()
    .items(listedTestRun)
    .required()
    .description('The first 1,000 test runs; GET /suiteruns/{runId}/testruns/ returns all.'),
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
    isolation: verdict?.isolation ?? null,
    notes: verdict?.notes ?? [],
  };
}

/** A test run with its details. */
export function showTestRun(run: ShownTestRun, publicUrl: string, now: Date) {
  const { definition, variables = [], attempts } = run;
  return {
    ...showListedTest(run, publicUrl, now),
    variables: showVariables(variables),
    definition,
    attempts: attempts.map(showAttempt),
  };
}

/** A suite run with its details. */
export function showSuiteRun(run: ShownSuiteRun, publicUrl: string, now: Date) {
  const { definition, variables = [], counts, testRuns } = run;
  return {
    ...showListedSuite(run, publicUrl, now),
    variables: showVariables(variables),
    definition,
    counts,
    parallelRun: definition.parallelism > 1,
    parallelSlots: definition.parallelism,
    runMode: definition.parallelism > 1 ? 'parallel' : 'sequence',
    testRuns: testRuns.map((test) => showListedTest(test, publicUrl, now)),
  };
}

/** A run with its details. */
export function showDetails(run: ShownRun, publicUrl: string, now: Date) {
  return run.kind === 'test' ? showTestRun(run, publicUrl, now) : showSuiteRun(run, publicUrl, now);
}
