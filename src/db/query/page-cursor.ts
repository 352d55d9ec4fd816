import type { Document } from 'mongodb';
import { invalidField } from '#src/domain/errors.js';

export interface SortKey {
  field: string;
  order: 1 | -1;
  type: 'text' | 'number' | 'date';
}

/** A position in a sorted list. */
export interface Position {
  /** Values of the sort fields, in sort order. */
  values: (string | number | Date)[];
  /** Whether the cursor refers to the page before this position. */
  isBack: boolean;
}

/** A position as text for URLs: base64url of JSON, times in ms. */
export function writeCursor(sort: readonly SortKey[], document: Document, isBack: boolean): string {
  const values = sort.map(({ field }) => {
    const value: unknown = document[field];
    return value instanceof Date ? value.getTime() : value;
  });
  return Buffer.from(JSON.stringify([isBack ? 1 : 0, ...values])).toString('base64url');
}

/** Checks every value, because they become part of a query. @throws InvalidInputError for a cursor of another list */
export function readCursor(sort: readonly SortKey[], text: string): Position {
  const refuse = () =>
    invalidField('cursor', 'cursor is not valid for this list; use the URL in `next` or `previous` unchanged');
  const read = parse(text);
  if (!Array.isArray(read) || read.length !== sort.length + 1 || (read[0] !== 0 && read[0] !== 1)) throw refuse();
  const values = sort.map(({ type }, index) => {
    const value: unknown = read[index + 1];
    if (typeof value !== (type === 'text' ? 'string' : 'number')) throw refuse();
    const typed = type === 'date' ? new Date(value as number) : (value as string | number);
    if (Number.isNaN(typed.valueOf() as number)) throw refuse();
    return typed;
  });
  return { values, isBack: read[0] === 1 };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return undefined;
  }
}
