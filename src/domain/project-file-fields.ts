import Joi from 'joi';
import { must } from './definition-fields.js';
import { isUuid } from './ids.js';
import { durationMs } from './project-file-duration.js';

/* The fields that a project file has in a form of its own: text in, as written. */

export const id = Joi.string()
  .empty(null)
  .lowercase()
  .custom((text: string, helpers) => (isUuid(text) ? text : helpers.error('any.invalid')))
  .messages(must('a UUID such as 0b6e3c52-6e0f-4b8e-9a53-3f2f5a1f7c11, or left out'));

/** @param longestMs a number of whole hours */
export const durationUpTo = (longestMs: number) =>
  Joi.string()
    .custom((text: string, helpers) => {
      const ms = durationMs(text);
      return ms !== undefined && ms > 0 && ms <= longestMs ? text : helpers.error('any.invalid');
    })
    .messages(
      must(`a duration of more than 0 and up to ${longestMs / 3_600_000}h, with its unit: 500ms, 60s, 5m or 2h`),
    );
