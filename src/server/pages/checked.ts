import type { Schema } from 'joi';
import { InvalidInputError } from '../../domain/errors.js';

/** What a person reads above a form: each field says the rest itself. */
const LOOK_BELOW = 'This could not be saved yet. Please mend the marked fields.';

/**
 * The fields of a form as a schema takes them.
 * @throws InvalidInputError with a message for every field that is wrong
 */
export function checked<T>(schema: Schema<T>, values: unknown): T {
  const { value, error } = schema.validate(values, {
    abortEarly: false,
    errors: { label: 'key', wrap: { label: false } },
  });
  if (!error) return value as T;
  const fields = error.details.map(({ path, message }) => ({ field: path.join('.'), message: asSentence(message) }));
  throw new InvalidInputError(LOOK_BELOW, { fields });
}

/** `retentionDays must be …` → `Must be …`: the field has its own label. */
function asSentence(message: string): string {
  const text = message.replace(/^\w+ (?=(?:must|is|has)\b)/, '');
  const sentence = text.charAt(0).toUpperCase() + text.slice(1);
  return sentence.endsWith('.') ? sentence : `${sentence}.`;
}
