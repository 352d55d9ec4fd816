import Joi from 'joi';
import { wholeNumber } from './definition-fields.js';
import type { TestLimits } from './definitions.js';

/* Bounds for what a test uses. */

export const testLimits = Joi.object<TestLimits>({
  memoryMiB: wholeNumber(16, 1_048_576),
  processes: wholeNumber(1, 100_000),
  outputMiB: wholeNumber(1, 1024),
  diskMiB: wholeNumber(1, 1_048_576),
}).messages({
  'object.base': '{{#label}} must be a map of memoryMiB, processes, outputMiB and diskMiB',
  'object.unknown': '{{#label}} is not a limit; the limits are memoryMiB, processes, outputMiB, diskMiB',
});
