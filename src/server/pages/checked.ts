import type { Schema } from 'joi';
import { InvalidInputError, type FieldProblem } from '../../domain/errors.js';

/** What a person reads above a form: each field says the rest itself. */
export const LOOK_BELOW = 'This could not be saved yet. Please mend the marked fields.';

/**
 * The fields of a form as a schema takes them.
 * @param unread what is wrong with fields that could not even be read (see FieldReader)
 * @throws InvalidInputError with a message for every field that is wrong
 */
export function checked<T>(schema: Schema<T>, values: unknown, unread: readonly FieldProblem[] = []): T {
  const { value, error } = schema.validate(values, {
    abortEarly: false,
    errors: { label: 'key', wrap: { label: false } },
  });
  if (!error && unread.length === 0) return value as T;
  const told = new Set(unread.map(({ field }) => field));
  const found = (error?.details ?? [])
    .filter(({ path }) => !told.has(String(path[0])))
    .map(({ path, message }) => ({ field: path.join('.'), message: asSentence(message) }));
  throw new InvalidInputError(LOOK_BELOW, { fields: [...unread, ...found] });
}

/** `retentionDays must be …` → `Must be …`: the field has its own label. */
function asSentence(message: string): string {
  const text = message.replace(/^\w+ (?=(?:must|is|has)\b)/, '');
  const sentence = text.charAt(0).toUpperCase() + text.slice(1);
  return sentence.endsWith('.') ? sentence : `${sentence}.`;
}
