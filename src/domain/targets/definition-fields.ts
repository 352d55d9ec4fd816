import { isAbsolute, resolve } from 'node:path';
import Joi from 'joi';
import { RUNNERS } from './runner-types.js';
import { hasInvisible, hasInvisibleInWriting } from '#src/domain/visible-text.js';

/*
 * Fields of tests and suites, for project files and the API alike; each message states what is expected. No message
 * contains a value: some are secret.
 */

const HOUR_MS = 3_600_000;
/** Linux's limit for an argument or variable (128 KiB including the terminator). */
const LONGEST_ARGUMENT = 131_071;
const ENV_NAME = /^(?!RUNHOOK_)[A-Za-z_][A-Za-z0-9_]*$/;
/** No control characters. Portable syntax: the pattern is part of the OpenAPI document. */
const ONE_LINE = /^[^\u0000-\u001f\u007f-\u009f]*$/;
const UNUSABLE = /\p{Surrogate}|\0/u;

/** Maximum number of tests, of suites, and of tests in a suite. */
export const MAX_ENTRIES = 10_000;
export const LONGEST_TEST_MS = 24 * HOUR_MS;
/** One week. */
export const LONGEST_SUITE_MS = 168 * HOUR_MS;

/** Escapes braces, which joi's messages would interpret. */
const literal = (text: string) => text.replace(/\{+|\}+/g, '\\$&');

/** `expected` completes "<field> must be …"; `*` covers every code without a message of its own. */
export const must = (expected: string) => ({
  '*': `{{#label}} must be ${literal(expected)}`,
  'any.required': `{{#label}} is required and must be ${literal(expected)}`,
});

/** An object with known fields; unknown ones are rejected by name. */
export function known<T>(what: string, fields: Joi.SchemaMap): Joi.ObjectSchema<T> {
  const names = Object.keys(fields).join(', ');
  return Joi.object<T>(fields).messages({
    'object.base': `{{#label}} must be a map with the fields ${names}`,
    'object.unknown': `{{#label}} is not a field of ${what}; the fields are ${names}`,
  });
}

/** Text that is safe for programs and the database: without NUL and lone surrogates. */
export const text = () =>
  Joi.string().custom((value: string, helpers) => (UNUSABLE.test(value) ? helpers.error('any.invalid') : value));

const NOT_SEEN = {
  'name.invisible': '{{#label}} contains invisible characters, such as a zero-width space; type the name again',
};

const nameText = (max: number, isUnseen: (value: string) => boolean) =>
  text()
    .trim()
    .normalize('NFC')
    .max(max)
    .pattern(ONE_LINE)
    .custom((value: string, helpers) => (isUnseen(value) ? helpers.error('name.invisible') : value));

/** A name that cannot be mistaken for a different one. */
export const nameUpTo = (max: number) =>
  nameText(max, hasInvisible)
    .min(1)
    .messages({ ...must(`a name of 1 to ${max} characters, on one line`), ...NOT_SEEN });

export const name = nameUpTo(200);

/** Empty if unknown; joiners that a script requires are allowed. */
export const personName = nameText(100, hasInvisibleInWriting)
  .allow('')
  .messages({ ...must('a name of up to 100 characters, on one line'), ...NOT_SEEN });

export const wholeNumber = (min: number, max: number) =>
  Joi.number()
    .integer()
    .min(min)
    .max(max)
    .messages(must(`a whole number from ${min} to ${max}`));

export const retentionDays = wholeNumber(1, 3650);

const argument = text().max(LONGEST_ARGUMENT, 'utf8').messages(must('a string of 1 to 131,071 bytes'));

/** The program name must not be empty; arguments may be. */
export const command = Joi.array()
  .items(argument.allow(''))
  .min(1)
  .custom((value: string[], helpers) => (value[0] === '' ? helpers.error('any.invalid') : value))
  .messages(
    must(
      'a list of the program and its arguments, such as [node, check.mjs]; to use a shell, write ' +
        '[sh, -c, "first && second"]',
    ),
  );

/** Normalized. */
export const absoluteFolder = text()
  .max(4095, 'utf8')
  .custom((value: string, helpers) => (isAbsolute(value) ? resolve(value) : helpers.error('any.invalid')))
  .messages(must('an absolute path, such as /srv/checks'));

export const env = Joi.object<Record<string, string>>()
  .pattern(
    ENV_NAME,
    text()
      .allow('')
      .max(LONGEST_ARGUMENT, 'utf8')
      .messages(must('a string of up to 131,071 bytes; write "" for an empty value')),
  )
  .messages({
    '*': '{{#label}} must be a map of variables, such as BASE: "http://127.0.0.1:8080"',
    'object.unknown':
      '{{#label}} is not a valid variable name: use letters, digits and underscores, not starting with a digit; names that start with RUNHOOK_ are reserved',
  });

/** Whether a text can be a URL. Relative ones and those with variables can only be checked when the run substitutes them. */
export function canBeAddress(text: string): boolean {
  return !/^https?:/i.test(text) || text.includes('{{') || URL.canParse(text);
}

/** For `custom` of a text that may be a URL. */
export const addressOrOther: Joi.CustomValidator<string> = (value, helpers) =>
  canBeAddress(value) ? value : helpers.error('address.invalid');

export const INVALID_ADDRESS = {
  'address.invalid': '{{#label}} is not a valid URL: check the host and the port (1 to 65535)',
};

export const runner = Joi.string()
  .valid(...RUNNERS)
  .messages(must('"command", "browser" or "http"'));

export const retries = wholeNumber(0, 10);

export const pool = Joi.string()
  .pattern(/^[a-z0-9][a-z0-9-]{0,62}$/)
  .messages(must('a pool name of 1 to 63 lowercase letters, digits and hyphens, such as "default"'));

export const parallelism = wholeNumber(1, 500);

export const onFailure = Joi.string().valid('continue', 'stop').messages(must('"continue" or "stop"'));

export const overlap = Joi.string()
  .valid('allow', 'queue', 'skip', 'stop-previous')
  .messages(must('"allow", "queue", "skip" or "stop-previous"'));

export const priority = wholeNumber(1, 5);

/** Defaults of fields that are left out. */
export const DEFAULTS = {
  test: { runner: 'command', timeoutMs: 300_000, retries: 0, pool: 'default', env: {} },
  suite: { parallelism: 4, onFailure: 'continue', retryFailed: 0, overlap: 'allow' },
} as const;
