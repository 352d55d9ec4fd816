import Joi from 'joi';
import {
  absoluteFolder,
  DEFAULTS,
  env,
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
  wholeNumber,
} from './definition-fields.js';
import type { SuiteDefinition, TestDefinition } from './definitions.js';
import { fieldsByRunner, NEEDED_BY_COMMANDS, neededFields, optionalFields, workingFolder } from './test-fields.js';
import { setup } from './test-source.js';

/* Projects, tests and suites in API requests: all values are typed, and unknown fields are rejected by name. */

export interface NewProject {
  name: string;
  retentionDays?: number;
}

/** `null`: none. */
export interface ProjectChanges {
  name?: string;
  retentionDays?: number | null;
}

export type NewTest = { name: string } & TestDefinition;
/** `null`: none. The changed test is validated as a whole with `newTest`. */
export type TestChanges = { name?: string } & { [Field in string]?: unknown };
export type NewSuite = { name: string } & SuiteDefinition;
/** `null`: none. */
export type SuiteChanges = Partial<Omit<NewSuite, 'timeoutMs' | 'priority'>> & {
  timeoutMs?: number | null;
  priority?: SuiteDefinition['priority'] | null;
};

const testId = Joi.string().guid().lowercase().messages(must('the ID (UUID) of a test of this project'));

const tests = Joi.array()
  .items(testId)
  .min(1)
  .max(MAX_ENTRIES)
  .messages({
    ...must('a list of 1 to 10,000 IDs of tests of this project, in starting order'),
    'array.max': '{{#label}} has {{#value.length}} entries; a suite can have up to 10,000 tests',
  });

// JSON has numbers, so "5" is rejected.
const testFields = {
  name,
  runner,
  env,
  timeoutMs: wholeNumber(1, LONGEST_TEST_MS).strict(),
  retries: retries.strict(),
  pool,
};

const suiteFields = {
  name,
  tests,
  parallelism: parallelism.strict(),
  onFailure,
  retryFailed: retries.strict(),
  timeoutMs: wholeNumber(1, LONGEST_SUITE_MS).strict(),
  overlap,
  priority: priority.strict(),
};

export const newProject = Joi.object<NewProject>({ name: name.required(), retentionDays: retentionDays.strict() });

export const projectChanges = changesOf<ProjectChanges>({ name, retentionDays: retentionDays.strict().allow(null) });

export const newTest = Joi.object<NewTest>({
  ...testFields,
  name: name.required(),
  runner: runner.default(DEFAULTS.test.runner),
  ...fieldsByRunner,
  cwd: workingFolder(absoluteFolder, NEEDED_BY_COMMANDS),
  setup,
  env: env.default(DEFAULTS.test.env),
  timeoutMs: testFields.timeoutMs.default(DEFAULTS.test.timeoutMs),
  retries: testFields.retries.default(DEFAULTS.test.retries),
  pool: pool.default(DEFAULTS.test.pool),
});

export const testChanges = changesOf<TestChanges>({
  ...testFields,
  ...orNull({ ...neededFields, ...optionalFields, cwd: absoluteFolder, setup }),
});

export const newSuite = Joi.object<NewSuite>({
  ...suiteFields,
  name: name.required(),
  tests: tests.required(),
  parallelism: suiteFields.parallelism.default(DEFAULTS.suite.parallelism),
  onFailure: onFailure.default(DEFAULTS.suite.onFailure),
  retryFailed: suiteFields.retryFailed.default(DEFAULTS.suite.retryFailed),
  overlap: overlap.default(DEFAULTS.suite.overlap),
});

export const suiteChanges = changesOf<SuiteChanges>({
  ...suiteFields,
  timeoutMs: suiteFields.timeoutMs.allow(null),
  priority: suiteFields.priority.allow(null),
});

function orNull(fields: Record<string, Joi.Schema>): Joi.SchemaMap {
  return Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, schema.allow(null)]));
}

function changesOf<T>(fields: Joi.SchemaMap): Joi.ObjectSchema<T> {
  const message = `Set at least one of: ${Object.keys(fields).join(', ')}`;
  return Joi.object<T>(fields).min(1).messages({ 'object.min': message });
}
