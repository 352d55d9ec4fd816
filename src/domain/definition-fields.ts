import { isAbsolute, resolve } from 'node:path';
import Joi from 'joi';
import { RUNNERS } from './definitions.js';
import { hasInvisible } from './visible-text.js';

/*
 * What the fields of tests and suites may hold, for project files and the API alike; each says what it must be. No message
 * repeats a value: some are secret.
 */

const HOUR_MS = 3_600_000;
/** Linux takes no longer argument or variable (128 KiB with its end). */
const LONGEST_ARGUMENT = 131_071;
const ENV_NAME = /^(?!RUNHOOK_)[A-Za-z_][A-Za-z0-9_]*$/;
/** No control characters, in words that other languages' regular expressions have too: it is in the API's description. */
const ONE_LINE = /^[^\u0000-\u001f\u007f-\u009f]*$/;
const UNUSABLE = /\p{Surrogate}|\0/u;

/** Of tests, of suites, and of tests in a suite. */
export const MAX_ENTRIES = 10_000;
export const LONGEST_TEST_MS = 24 * HOUR_MS;
/** A suite may take a week. */
export const LONGEST_SUITE_MS = 168 * HOUR_MS;

/** A text as a part of a message: braces are no template there. */
const literal = (text: string) => text.replace(/\{+|\}+/g, '\\$&');

/** `expected` completes "<field> must be …"; a `*` covers every code that has no message of its own. */
export const must = (expected: string) => ({
  '*': `{{#label}} must be ${literal(expected)}`,
  'any.required': `{{#label}} is missing; it must be ${literal(expected)}`,
});

/** An object whose fields are known; any other is refused by name. */
export function known<T>(what: string, fields: Joi.SchemaMap): Joi.ObjectSchema<T> {
  const names = Object.keys(fields).join(', ');
  return Joi.object<T>(fields).messages({
    'object.base': `{{#label}} must be a ${what}: a map of ${names}`,
    'object.unknown': `{{#label}} is not a field of a ${what}; the fields are ${names}`,
  });
}

/** Text that programs and the database can be given as it is: without NUL, and without half a surrogate pair. */
export const text = () =>
  Joi.string().custom((value: string, helpers) => (UNUSABLE.test(value) ? helpers.error('any.invalid') : value));

export const name = text()
  .trim()
  .normalize('NFC')
  .min(1)
  .max(200)
  .pattern(ONE_LINE)
  .custom((value: string, helpers) => (hasInvisible(value) ? helpers.error('name.invisible') : value))
  .messages({
    ...must('a name of 1 to 200 characters on one line'),
    'name.invisible': '{{#label}} has characters that cannot be seen, such as a zero-width space; type the name again',
  });

export const wholeNumber = (min: number, max: number) =>
  Joi.number()
    .integer()
    .min(min)
    .max(max)
    .messages(must(`a whole number from ${min} to ${max}`));

export const retentionDays = wholeNumber(1, 3650);

const argument = text().max(LONGEST_ARGUMENT, 'utf8').messages(must('text of 1 to 131,071 bytes'));

/** The program must have a name; an argument may be empty. */
export const command = Joi.array()
  .items(argument.allow(''))
  .min(1)
  .custom((value: string[], helpers) => (value[0] === '' ? helpers.error('any.invalid') : value))
  .messages(
    must(
      'a list of the program and its arguments, such as [node, check.mjs]; there is no shell: ' +
        'for one, write [sh, -c, "first && second"]',
    ),
  );

/** In its shortest form. */
export const absoluteFolder = text()
  .max(4095, 'utf8')
  .custom((value: string, helpers) => (isAbsolute(value) ? resolve(value) : helpers.error('any.invalid')))
  .messages(must('an absolute folder, such as /srv/checks'));

export const env = Joi.object<Record<string, string>>()
  .pattern(
    ENV_NAME,
    text().allow('').max(LONGEST_ARGUMENT, 'utf8').messages(must('text of up to 131,071 bytes; for none write ""')),
  )
  .messages({
    '*': '{{#label}} must be a map of variables, such as BASE: "http://127.0.0.1:8080"',
    'object.unknown':
      '{{#label}} is no name for a variable: use letters, digits and _, no digit first; RUNHOOK_… is the service’s own',
  });

/** Whether a text can be an address. What has a place for a variable, or is relative, is known only when a run fills it in. */
export function canBeAddress(text: string): boolean {
  return !/^https?:/i.test(text) || text.includes('{{') || URL.canParse(text);
}

/** For the `custom` of a text that may be an address. */
export const addressOrOther: Joi.CustomValidator<string> = (value, helpers) =>
  canBeAddress(value) ? value : helpers.error('address.invalid');

export const INVALID_ADDRESS = {
  'address.invalid': '{{#label}} is not a valid address: check its host and its port (1 to 65535)',
};

export const runner = Joi.string()
  .valid(...RUNNERS)
  .messages(must('"command", "browser" or "http"'));

export const retries = wholeNumber(0, 10);

export const pool = Joi.string()
  .pattern(/^[a-z0-9][a-z0-9-]{0,62}$/)
  .messages(must('a pool of 1 to 63 lower-case letters, digits and dashes, such as "default"'));

export const parallelism = wholeNumber(1, 500);

export const onFailure = Joi.string().valid('continue', 'stop').messages(must('"continue" or "stop"'));

export const overlap = Joi.string()
  .valid('allow', 'queue', 'skip', 'stop-previous')
  .messages(must('"allow", "queue", "skip" or "stop-previous"'));

export const priority = wholeNumber(1, 5);

/** What a field is when nothing is said of it. */
export const DEFAULTS = {
  test: { runner: 'command', timeoutMs: 300_000, retries: 0, pool: 'default', env: {} },
  suite: { parallelism: 4, onFailure: 'continue', retryFailed: 0, overlap: 'allow' },
} as const;
