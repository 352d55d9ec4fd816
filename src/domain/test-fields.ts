import Joi from 'joi';
import { browserFields } from './browser-test.js';
import { addressOrOther, command, INVALID_ADDRESS, must, text } from './definition-fields.js';
import { RUNNERS, type RunnerKind } from './definitions.js';
import { httpFields } from './http-test.js';
import { testLimits } from './test-limits.js';
import { artifacts, results } from './test-outputs.js';
import { git } from './test-source.js';

/* Which fields a test has, by its runner. A field that is left out of a definition is absent there: none has a default. */

const baseUrl = text()
  .trim()
  .min(1)
  .max(2000)
  .custom(addressOrOther)
  .messages({
    ...must('the address that others are relative to, such as https://shop.example or {{BASE_URL}}'),
    ...INVALID_ADDRESS,
  });

/** What may be said of a test of any kind, or is only for some. */
export const optionalFields = {
  git,
  results,
  baseUrl,
  ...without(browserFields, 'steps'),
  ...without(httpFields, 'requests'),
  artifacts,
  limits: testLimits,
};

/** What a test of each kind needs. */
export const neededFields = { command, steps: browserFields.steps, requests: httpFields.requests };

/** Names of the fields that only tests of some runners have. */
const OWN_FIELDS: Record<RunnerKind, readonly string[]> = {
  command: ['command', 'results'],
  browser: ['baseUrl', ...Object.keys(browserFields)],
  http: ['baseUrl', ...Object.keys(httpFields)],
};

/** All fields that depend on the runner, each refused where it has no meaning. */
export const fieldsByRunner: Joi.SchemaMap = Object.fromEntries([
  ...Object.entries(neededFields).map(([name, schema]) => [name, onlyForItsRunners(name, schema, true)]),
  ...Object.entries(optionalFields).map(([name, schema]) => [name, onlyForItsRunners(name, schema, false)]),
]) as Joi.SchemaMap;

function onlyForItsRunners(name: string, schema: Joi.Schema, isNeeded: boolean): Joi.Schema {
  const runners = (Object.keys(OWN_FIELDS) as RunnerKind[]).filter((runner) => OWN_FIELDS[runner].includes(name));
  if (runners.length === 0) return schema;
  const kinds = runners.map((runner) => `"${runner}"`).join(' or ');
  const refused = Joi.forbidden().messages({ 'any.unknown': `{{#label}} is for tests of the runner ${kinds} only` });
  return schema.when('runner', {
    switch: [
      { is: Joi.valid(...runners), then: isNeeded ? Joi.required() : Joi.optional() },
      { is: Joi.valid(...RUNNERS), then: refused },
    ],
  });
}

/** The working folder, of tests whose files do not come from a repository. @param otherwise what else holds of it */
export function workingFolder(folder: Joi.Schema, otherwise: Joi.Schema): Joi.Schema {
  return folder.when('git', {
    is: Joi.exist(),
    then: Joi.forbidden().messages({ 'any.unknown': '{{#label}} cannot be beside git: write the folder as git.path' }),
    otherwise,
  });
}

/** Commands have to say where they run. */
export const NEEDED_BY_COMMANDS = Joi.when('runner', {
  is: 'command',
  then: Joi.required(),
  otherwise: Joi.optional(),
});

function without<T extends object, K extends keyof T>(fields: T, name: K): Omit<T, K> {
  return Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name)) as Omit<T, K>;
}
