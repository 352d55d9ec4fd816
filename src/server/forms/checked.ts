import type { Schema, ValidationErrorItem } from 'joi';
import { InvalidInputError, type FieldProblem } from '#src/domain/errors.js';

/** What a person reads above a form: each field says the rest itself. */
export const LOOK_BELOW = 'Not saved. Please fix the highlighted fields.';

/** Said of one field at most. */
const MAX_LINES = 10;

/**
 * The fields of a form as a schema takes them.
 * @param unread what is wrong with fields that could not even be read (see FieldReader)
 * @param lineOf of a field whose text is a map or list of its own: where in it the value at a path stands
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
  const told = new Set(unread.map(({ field }) => field));
  const found = new Map<string, string[]>();
  for (const { path, message } of error?.details ?? []) {
    const [top, ...inner] = path as [string, ...ValidationErrorItem['path']];
    if (told.has(String(top)) || told.has(path.join('.'))) continue;
    const line = lineOf(top, inner);
    const field = line === undefined ? path.join('.') : top;
    const said = found.get(field) ?? [];
    found.set(field, [...said, line === undefined ? asSentence(message) : `Line ${line}: ${ofEntry(message)}`]);
  }
  const problems = [...found].map(([field, said]) => ({ field, message: inLines(said) }));
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
