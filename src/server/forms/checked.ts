import type { Schema, ValidationErrorItem } from 'joi';
import { InvalidInputError, type FieldProblem } from '#src/domain/errors.js';

/** Shown above a form; each field shows its own problem. */
export const LOOK_BELOW = 'Not saved. Please fix the highlighted fields.';

/** Of one field. */
const MAX_LINES = 10;

/**
 * Values of a form, checked by a schema.
 * @param unread problems of fields that could not be read
 * @param lineOf the line of the value at a path in the text of a field; undefined if the field has one value
 * @throws InvalidInputError with a message for every field that is wrong
 */
export function checked<T>(
  schema: Schema<T>,
  values: unknown,
  unread: readonly FieldProblem[] = [],
  lineOf: (field: string, path: readonly (string | number)[]) => number | undefined = () => undefined,
): T {
  const { value, error } = schema.validate(values, {
    abortEarly: false,
    errors: { label: 'key', wrap: { label: false } },
  });
  if (!error && unread.length === 0) return value as T;
  const reported = new Set(unread.map(({ field }) => field));
  const found = new Map<string, string[]>();
  for (const { path, message } of error?.details ?? []) {
    const [top, ...inner] = path as [string, ...ValidationErrorItem['path']];
    if (reported.has(String(top)) || reported.has(path.join('.'))) continue;
    const line = lineOf(top, inner);
    const field = line === undefined ? path.join('.') : top;
    const messages = found.get(field) ?? [];
    found.set(field, [...messages, line === undefined ? asSentence(message) : `Line ${line}: ${ofEntry(message)}`]);
  }
  const problems = [...found].map(([field, messages]) => ({ field, message: inLines(messages) }));
  throw new InvalidInputError(LOOK_BELOW, { fields: [...unread, ...problems] });
}

/** `retentionDays must be …` → `Must be …`: the field has its own label. */
function asSentence(message: string): string {
  const text = message.replace(/^\w+ (?=(?:must|is|has)\b)/, '');
  const sentence = text.charAt(0).toUpperCase() + text.slice(1);
  return withFullStop(sentence);
}

/** `[3] must be …` → `must be …`: the line says which. */
function ofEntry(message: string): string {
  return withFullStop(message.replace(/^\[\d+\] /, ''));
}

function withFullStop(text: string): string {
  return text.endsWith('.') ? text : `${text}.`;
}

function inLines(messages: readonly string[]): string {
  const more = messages.length - MAX_LINES;
  return [...messages.slice(0, MAX_LINES), ...(more > 0 ? [`… and ${more} more.`] : [])].join('\n');
}
