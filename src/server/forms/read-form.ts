import type { Schema } from 'joi';
import { InvalidInputError, type FieldProblem } from '#src/domain/errors.js';
import { checked } from './checked.js';
import type { SubmittedForm } from './submitted-form.js';
import type { TextValue } from './text-values.js';

/** How each field of a form is read and written, by its name: the path of its value, such as `git.url`. */
export type FormFields = Readonly<Record<string, TextValue>>;

type Values = Record<string, unknown>;

/** The texts that fields show for the values of a record. */
export function writeFields(fields: FormFields, values: object): Record<string, string> {
  const texts = Object.entries(fields).map(([name, field]) => [name, written(field, valueAt(values, name))]);
  return Object.fromEntries(texts);
}

interface ReadOptions {
  /** What is edited: a field that was not touched keeps its value, even one that its text cannot express. */
  existing?: object | undefined;
  /** Values that are in no field. */
  rest?: object;
  /** Problems found so far. */
  problems?: readonly FieldProblem[];
}

/** What a form asks for. @throws InvalidInputError with a message for every field that is wrong */
export function readForm<T>(
  form: SubmittedForm,
  schema: Schema<T>,
  fields: FormFields,
  { existing, rest, problems = [] }: ReadOptions = {},
): T {
  const values: Values = { ...rest };
  const unread = [...problems];
  for (const [name, field] of Object.entries(fields)) {
    const text = form.raw(name);
    const previous = existing && valueAt(existing, name);
    try {
      const value = existing && text === written(field, previous) ? previous : field.read(text);
      if (value !== undefined) setValue(values, name, value);
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error;
      unread.push({ field: name, message: error.message });
    }
  }
  return checked(schema, values, unread, (name, path) => fields[name]?.lineOf?.(form.raw(name), path));
}

function written(field: TextValue, value: unknown): string {
  return value === undefined ? '' : field.write(value).replaceAll('\r\n', '\n');
}

function valueAt(values: object, name: string): unknown {
  return name.split('.').reduce<unknown>((value, key) => (value as Values | undefined)?.[key], values);
}

function setValue(values: Values, name: string, value: unknown): void {
  const keys = name.split('.');
  const last = keys.pop()!;
  const parent = keys.reduce<Values>((map, key) => (map[key] ??= {}) as Values, values);
  parent[last] = value;
}
