import Joi from 'joi';
import { isUuid } from './ids.js';
import { durationMs } from './project-file-duration.js';

/* The fields of a project file: text in, as written; each says what it must be. No message repeats a value: some are secret. */

const HOUR_MS = 3_600_000;
/** Linux takes no longer argument or variable (128 KiB with its end). */
const LONGEST_ARGUMENT = 131_071;
const ENV_NAME = /^(?!RUNHOOK_)[A-Za-z_][A-Za-z0-9_]*$/;

/** `expected` completes "<field> must be …"; a `*` covers every code that has no message of its own. */
export const must = (expected: string) => ({
  '*': `{{#label}} must be ${expected}`,
  'any.required': `{{#label}} is missing; it must be ${expected}`,
});

export const name = Joi.string()
  .trim()
  .normalize('NFC')
  .min(1)
  .max(200)
  .pattern(/^\P{Cc}*$/u)
  .messages(must('a name of 1 to 200 characters on one line'));

export const id = Joi.string()
  .empty(null)
  .lowercase()
  .custom((text: string, helpers) => (isUuid(text) ? text : helpers.error('any.invalid')))
  .messages(must('a UUID such as 0b6e3c52-6e0f-4b8e-9a53-3f2f5a1f7c11, or left out'));

const durationUpTo = (hours: number) =>
  Joi.string()
    .custom((text: string, helpers) => {
      const ms = durationMs(text);
      return ms !== undefined && ms > 0 && ms <= hours * HOUR_MS ? text : helpers.error('any.invalid');
    })
    .messages(must(`a duration of more than 0 and up to ${hours}h, with its unit: 500ms, 60s, 5m or 2h`));

export const timeout = durationUpTo(24);

/** A suite may take a week. */
export const suiteTimeout = durationUpTo(168);

export const wholeNumber = (min: number, max: number) =>
  Joi.number()
    .empty(null)
    .integer()
    .min(min)
    .max(max)
    .messages(must(`a whole number from ${min} to ${max}`));

const argument = Joi.string().max(LONGEST_ARGUMENT, 'utf8').messages(must('text of 1 to 131,071 bytes'));

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

export const env = Joi.object<Record<string, string>>()
  .empty(null)
  .pattern(
    ENV_NAME,
    Joi.string()
      .allow('')
      .max(LONGEST_ARGUMENT, 'utf8')
      .messages(must('text of up to 131,071 bytes; for none write ""')),
  )
  .messages({
    '*': '{{#label}} must be a map of variables, such as BASE: "http://127.0.0.1:8080"',
    'object.unknown':
      '{{#label}} is no name for a variable: use letters, digits and _, no digit first; RUNHOOK_… is the service’s own',
  });
