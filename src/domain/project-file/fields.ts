import Joi from 'joi';
import { must } from '#src/domain/targets/definition-fields.js';
import { isUuid } from '#src/domain/ids.js';
import { durationMs } from './duration.js';

/* Fields that are strings in project files. */

export const id = Joi.string()
  .empty(null)
  .lowercase()
  .custom((text: string, helpers) => (isUuid(text) ? text : helpers.error('any.invalid')))
  .messages(must('a UUID such as 0b6e3c52-6e0f-4b8e-9a53-3f2f5a1f7c11, if it is set'));

/** @param longestMs a number of whole hours */
export const durationUpTo = (longestMs: number) =>
  Joi.string()
    .custom((text: string, helpers) => {
      const ms = durationMs(text);
      return ms !== undefined && ms > 0 && ms <= longestMs ? text : helpers.error('any.invalid');
    })
    .messages(must(`a duration greater than 0 and up to ${longestMs / 3_600_000}h, with a unit: 500ms, 60s, 5m or 2h`));
