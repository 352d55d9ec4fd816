import Joi from 'joi';
import { must } from './targets/definition-fields.js';

/** A JSON value. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** Deeper values are rejected, because functions on values recurse. */
const MAX_DEPTH = 100;

export function isJson(value: unknown, depth = 0): value is Json {
  if (depth > MAX_DEPTH) return false;
  if (Array.isArray(value)) return value.every((item) => isJson(item, depth + 1));
  if (typeof value === 'object' && value !== null) return Object.values(value).every((item) => isJson(item, depth + 1));
  return value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
}

/** Any JSON value, with its type. */
export const json = Joi.any()
  .custom((value: unknown, helpers) => (isJson(value) ? value : helpers.error('any.invalid')))
  .messages(must('a JSON value: a string, number, true, false, null, list or map'));
