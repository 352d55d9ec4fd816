import Joi from 'joi';
import type { OnFailure, Overlap, Priority } from './definitions.js';
import { command, env, id, must, name, suiteTimeout, timeout, wholeNumber } from './project-file-fields.js';

/** A project file as written, with its defaults filled in. */
export interface WrittenProject {
  id?: string;
  project: string;
  retentionDays?: number;
  tests: WrittenTest[];
  suites: WrittenSuite[];
}

export interface WrittenTest {
  id?: string;
  name: string;
  runner: 'command';
  command: string[];
  cwd: string;
  timeout: string;
  retries: number;
  pool: string;
  env: Record<string, string>;
}

export interface WrittenSuite {
  id?: string;
  name: string;
  /** Names of tests of the same file. */
  tests: string[];
  parallelism: number;
  onFailure: OnFailure;
  retryFailed: number;
  timeout?: string;
  overlap: Overlap;
  priority?: Priority;
}

/** Of tests, of suites, and of tests in a suite. */
const MAX_ENTRIES = 10_000;

/** An object whose fields are known; any other is refused by name. */
function known<T>(what: string, fields: Joi.StrictSchemaMap<T>): Joi.ObjectSchema<T> {
  const names = Object.keys(fields).join(', ');
  return Joi.object<T, true>(fields).messages({
    'object.base': `{{#label}} must be a ${what}: a map of ${names}`,
    'object.unknown': `{{#label}} is not a field of a ${what}; the fields are ${names}`,
  });
}

const test = known<WrittenTest>('test', {
  id,
  name: name.required(),
  runner: Joi.string().empty(null).valid('command').default('command').messages(must('"command", the only runner')),
  command: command.required(),
  cwd: Joi.string().empty(null).default('.').messages(must('a folder, absolute or relative to the file')),
  timeout: timeout.empty(null).default('5m'),
  retries: wholeNumber(0, 10).default(0),
  pool: Joi.string()
    .empty(null)
    .pattern(/^[a-z0-9][a-z0-9-]{0,62}$/)
    .default('default')
    .messages(must('a pool of 1 to 63 lower-case letters, digits and dashes, such as "default"')),
  env: env.default({}),
});

const suite = known<WrittenSuite>('suite', {
  id,
  name: name.required(),
  tests: Joi.array()
    .items(name)
    .min(1)
    .max(MAX_ENTRIES)
    .required()
    .messages(must('a list of 1 to 10,000 names of tests of this file')),
  parallelism: wholeNumber(1, 500).default(4),
  onFailure: Joi.string()
    .empty(null)
    .valid('continue', 'stop')
    .default('continue')
    .messages(must('"continue" or "stop"')),
  retryFailed: wholeNumber(0, 10).default(0),
  timeout: suiteTimeout.empty(null),
  overlap: Joi.string()
    .empty(null)
    .valid('allow', 'queue', 'skip', 'stop-previous')
    .default('allow')
    .messages(must('"allow", "queue", "skip" or "stop-previous"')),
  priority: wholeNumber(1, 5),
});

const entries = <T>(schema: Joi.ObjectSchema<T>, kind: string) =>
  Joi.array<T[]>()
    .items(schema)
    .max(MAX_ENTRIES)
    .messages(must(`a list of up to 10,000 ${kind}`));

/** The schema of a project file, as read from YAML with every scalar as text. */
export const projectFileSchema = known<WrittenProject>('project file', {
  id,
  project: name.required(),
  retentionDays: wholeNumber(1, 3650),
  tests: entries(test, 'tests').empty(null).required(),
  suites: entries(suite, 'suites').empty(null).default([]),
}).label('the file');

/** All problems at once, fields named by their path. */
export const VALIDATION: Joi.ValidationOptions = { abortEarly: false, errors: { wrap: { label: false } } };
