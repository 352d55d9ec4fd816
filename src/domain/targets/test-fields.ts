import Joi from 'joi';
import { browserFields } from '#src/domain/browser-test/browser-test.js';
import { addressOrOther, command, INVALID_ADDRESS, must, text } from './definition-fields.js';
import { RUNNERS, type RunnerKind } from './runner-types.js';
import { httpFields } from '#src/domain/http-test/http-test.js';
import { testLimits } from './test-limits.js';
import { artifacts, results } from './test-outputs.js';
import { git } from './test-source.js';

/* Fields of tests by runner type. None has a default: a field that is left out is absent from the definition. */

const baseUrl = text()
  .trim()
  .min(1)
  .max(2000)
  .custom(addressOrOther)
  .messages({
    ...must('the base URL of relative URLs, such as https://shop.example or {{BASE_URL}}'),
    ...INVALID_ADDRESS,
  });

/** Optional fields, of all runner types or only some. */
export const optionalFields = {
  git,
  results,
  baseUrl,
  ...without(browserFields, 'steps'),
  ...without(httpFields, 'requests'),
  artifacts,
  limits: testLimits,
};

/** Required fields. */
export const neededFields = { command, steps: browserFields.steps, requests: httpFields.requests };

/** Fields that only some runner types have. */
export const FIELDS_OF_RUNNERS: Record<RunnerKind, readonly string[]> = {
  command: ['command', 'results'],
  browser: ['baseUrl', ...Object.keys(browserFields)],
  http: ['baseUrl', ...Object.keys(httpFields)],
};

/** All fields that depend on the runner type, each rejected for the others. */
export const fieldsByRunner: Joi.SchemaMap = Object.fromEntries([
  ...Object.entries(neededFields).map(([name, schema]) => [name, onlyForItsRunners(name, schema, true)]),
  ...Object.entries(optionalFields).map(([name, schema]) => [name, onlyForItsRunners(name, schema, false)]),
]) as Joi.SchemaMap;

function onlyForItsRunners(name: string, schema: Joi.Schema, isNeeded: boolean): Joi.Schema {
  const runners = (Object.keys(FIELDS_OF_RUNNERS) as RunnerKind[]).filter((runner) =>
    FIELDS_OF_RUNNERS[runner].includes(name),
  );
  if (runners.length === 0) return schema;
  const kinds = runners.map((runner) => `"${runner}"`).join(' or ');
  const refused = Joi.forbidden().messages({ 'any.unknown': `{{#label}} is only allowed if runner is ${kinds}` });
  return schema.when('runner', {
    switch: [
      { is: Joi.valid(...runners), then: isNeeded ? Joi.required() : Joi.optional() },
      { is: Joi.valid(...RUNNERS), then: refused },
    ],
  });
}

/** The working folder of tests without a Git repository. @param otherwise further rules */
export function workingFolder(folder: Joi.Schema, otherwise: Joi.Schema): Joi.Schema {
  return folder.when('git', {
    is: Joi.exist(),
    then: Joi.forbidden().messages({ 'any.unknown': '{{#label}} cannot be combined with git: use git.path instead' }),
    otherwise,
  });
}

/** Required for commands. */
export const NEEDED_BY_COMMANDS = Joi.when('runner', {
  is: 'command',
  then: Joi.required(),
  otherwise: Joi.optional(),
});

function without<T extends object, K extends keyof T>(fields: T, name: K): Omit<T, K> {
  return Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name)) as Omit<T, K>;
}
