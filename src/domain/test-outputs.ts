import Joi from 'joi';
import { must, text } from './definition-fields.js';

/* What a test leaves that is kept with its run. */

const glob = text().min(1).max(1000);

export const artifacts = Joi.array()
  .items(glob)
  .max(50)
  .messages(must('a list of up to 50 globs of files below the working folder, such as ["report/**"]'));

export const results = Joi.object({
  junit: glob.required().messages(must('a glob of JUnit XML files, such as out/*.xml')),
}).messages({
  'object.base': '{{#label}} must be a map of junit',
  'object.unknown': '{{#label}} is not a field of results; the field is junit',
});
