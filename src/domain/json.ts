import Joi from 'joi';
import { must } from './definition-fields.js';

/** A value that JSON can write. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** Deeper is refused: what walks through values recurses. */
const MAX_DEPTH = 100;

export function isJson(value: unknown, depth = 0): value is Json {
  if (depth > MAX_DEPTH) return false;
  if (Array.isArray(value)) return value.every((item) => isJson(item, depth + 1));
  if (typeof value === 'object' && value !== null) return Object.values(value).every((item) => isJson(item, depth + 1));
  return value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
}

/** Any value that JSON can write, with its type. */
export const json = Joi.any()
  .custom((value: unknown, helpers) => (isJson(value) ? value : helpers.error('any.invalid')))
  .messages(must('a value that JSON can write: text, a number, true, false, null, a list or a map of such'));
