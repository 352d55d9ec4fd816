import Joi from 'joi';
import type { SuiteDefinition, TestDefinition } from '#src/domain/targets/definitions.js';
import {
  DEFAULTS,
  env,
  known,
  LONGEST_SUITE_MS,
  LONGEST_TEST_MS,
  MAX_ENTRIES,
  must,
  name,
  onFailure,
  overlap,
  parallelism,
  pool,
  priority,
  retentionDays,
  retries,
  runner,
} from '#src/domain/targets/definition-fields.js';
import { durationText } from './duration.js';
import { durationUpTo, id } from './fields.js';
import { catchUp, cron, timeZone } from '#src/domain/schedules/schedule-fields.js';
import { SCHEDULE_DEFAULTS, type ScheduleDefinition } from '#src/domain/schedules/schedule.js';
import { fieldsByRunner, workingFolder } from '#src/domain/targets/test-fields.js';
import { LONGEST_SETUP_MS, setupWith, type SetupCommand } from '#src/domain/targets/test-source.js';

/** The content of a project file, with defaults. */
export interface WrittenProject {
  id?: string;
  project: string;
  retentionDays?: number;
  tests: WrittenTest[];
  suites: WrittenSuite[];
  /** Absent: existing schedules stay. */
  schedules?: WrittenSchedule[];
}

/** A test's definition with durations as text. */
export type WrittenTest = {
  id?: string;
  name: string;
  timeout: string;
  setup?: WrittenSetup;
} & WithoutDurations<TestDefinition>;
type WithoutDurations<T> = T extends unknown ? Omit<T, 'timeoutMs' | 'setup'> : never;
export type WrittenSetup = Omit<SetupCommand, 'timeoutMs'> & { timeout: string };

/** Its tests are names of tests of the same file. */
export interface WrittenSuite extends Omit<SuiteDefinition, 'timeoutMs'> {
  id?: string;
  name: string;
  timeout?: string;
}

export interface WrittenSchedule extends Pick<ScheduleDefinition, 'cron' | 'timeZone' | 'paused'> {
  id?: string;
  name: string;
  /** Name of a test or a suite of the same file. */
  test?: string;
  suite?: string;
  catchUp: string;
  /** Id of a variable set. */
  profile?: string;
}

const folder = Joi.string().messages(must('a path, absolute or relative to the file'));

// A field without a value (`pool:`) is treated as absent.
const test = known<WrittenTest>('a test', {
  id,
  name: name.required(),
  runner: runner.empty(null).default(DEFAULTS.test.runner),
  ...withoutValueAbsent(fieldsByRunner),
  cwd: workingFolder(folder, Joi.optional()).empty(null),
  setup: setupWith({ timeout: durationUpTo(LONGEST_SETUP_MS).empty(null).default('10m') }).empty(null),
  timeout: durationUpTo(LONGEST_TEST_MS).empty(null).default(durationText(DEFAULTS.test.timeoutMs)),
  retries: retries.empty(null).default(DEFAULTS.test.retries),
  pool: pool.empty(null).default(DEFAULTS.test.pool),
  env: env.empty(null).default(DEFAULTS.test.env),
});

function withoutValueAbsent(fields: Joi.SchemaMap): Joi.SchemaMap {
  return Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, (schema as Joi.Schema).empty(null)]));
}

const suite = known<WrittenSuite>('a suite', {
  id,
  name: name.required(),
  tests: Joi.array()
    .items(name)
    .min(1)
    .max(MAX_ENTRIES)
    .required()
    .messages(must('a list of 1 to 10,000 names of tests in this file')),
  parallelism: parallelism.empty(null).default(DEFAULTS.suite.parallelism),
  onFailure: onFailure.empty(null).default(DEFAULTS.suite.onFailure),
  retryFailed: retries.empty(null).default(DEFAULTS.suite.retryFailed),
  timeout: durationUpTo(LONGEST_SUITE_MS).empty(null),
  overlap: overlap.empty(null).default(DEFAULTS.suite.overlap),
  priority: priority.empty(null),
});

const schedule = known<WrittenSchedule>('a schedule', {
  id,
  name: name.required(),
  test: name.empty(null),
  suite: name.empty(null),
  cron: cron.required(),
  timeZone: timeZone.empty(null).default(SCHEDULE_DEFAULTS.timeZone),
  paused: Joi.boolean().messages(must('true or false')).empty(null).default(SCHEDULE_DEFAULTS.paused),
  catchUp: catchUp.empty(null).default(durationText(SCHEDULE_DEFAULTS.catchUpMs)),
  profile: id,
})
  .xor('test', 'suite')
  .messages({
    'object.missing': '{{#label}} must have test or suite, with its name',
    'object.xor': '{{#label}} must have either test or suite, not both',
  });

const entries = <T>(schema: Joi.ObjectSchema<T>, kind: string) =>
  Joi.array<T[]>()
    .items(schema)
    .max(MAX_ENTRIES)
    .messages(must(`a list of up to 10,000 ${kind}`));

/** The schema of a project file, as read from YAML with every scalar as text. */
export const projectFileSchema = known<WrittenProject>('a project file', {
  id,
  project: name.required(),
  retentionDays: retentionDays.empty(null),
  tests: entries(test, 'tests').empty(null).required(),
  suites: entries(suite, 'suites').empty(null).default([]),
  schedules: entries(schedule, 'schedules').empty(null),
}).label('the file');

/** Reports all problems at once, with the path of each field. */
export const VALIDATION: Joi.ValidationOptions = { abortEarly: false, errors: { wrap: { label: false } } };
