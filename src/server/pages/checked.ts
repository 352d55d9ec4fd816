import type Joi from 'joi';
import { InvalidInputError } from '../../domain/errors.js';

/**
 * A form's fields as a schema makes them.
 * @throws InvalidInputError with what is wrong with each
 */
export function checked<T>(schema: Joi.Schema<T>, fields: unknown): T {
  const { value, error } = schema.validate(fields, {
    abortEarly: false,
    errors: { wrap: { label: false }, label: 'key' },
  });
  if (!error) return value as T;
  const problems = error.details.map(({ path, message }) => ({ field: path.join('.'), message: sentence(message) }));
  throw new InvalidInputError(problems.map(({ message }) => message).join(' '), { fields: problems });
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`;
}
