import type { Request } from '@hapi/hapi';
import { InvalidInputError } from '../../domain/errors.js';
import type { KeysetPage, KeysetRequest } from '../../domain/keyset.js';

type Cursor = NonNullable<KeysetRequest['from']>;

/** Query of a paged list (see `paging` in shapes.ts). */
export interface PagingQuery {
  limit: number;
  cursor?: string;
}

/**
 * Which page a query asks for.
 * @param types of the key's values, in order
 * @throws InvalidInputError for a cursor that is not ours
 */
export function pageRequest({ limit, cursor }: PagingQuery, types: readonly ('date' | 'string')[]): KeysetRequest {
  return cursor === undefined ? { limit } : { limit, from: decode(cursor, types) };
}

/**
 * A page as lists answer it: `next` and `previous` are the request's own address with another cursor.
 * @param keyOf the values of the list's order in a row
 */
export function pageAnswer<T>(
  request: Pick<Request, 'url'>,
  publicUrl: string,
  { rows, hasNext, hasPrevious }: KeysetPage<T>,
  { count, keyOf, show }: { count: number; keyOf(row: T): readonly unknown[]; show(row: T): unknown },
) {
  const address = (row: T | undefined, backwards: boolean) => {
    if (row === undefined) return null;
    const query = new URLSearchParams(request.url.searchParams);
    query.set('cursor', encode({ key: keyOf(row), backwards }));
    return `${publicUrl}${request.url.pathname}?${query}`;
  };
  return {
    count,
    next: hasNext ? address(rows.at(-1), false) : null,
    previous: hasPrevious ? address(rows[0], true) : null,
    results: rows.map(show),
  };
}

/** A list that is answered whole. */
export function wholeList(results: readonly unknown[]) {
  return { count: results.length, next: null, previous: null, results };
}

function encode({ key, backwards }: Cursor): string {
  return Buffer.from(JSON.stringify([backwards ? 1 : 0, ...key])).toString('base64url');
}

function decode(cursor: string, types: readonly ('date' | 'string')[]): Cursor {
  const [backwards, ...values] = parse(cursor);
  const key = values.map((value, at) => {
    if (typeof value !== 'string') throw malformed();
    return types[at] === 'date' ? new Date(value) : value;
  });
  const isWhole = key.length === types.length && !key.some((value) => value instanceof Date && isNaN(value.getTime()));
  if (!isWhole || (backwards !== 0 && backwards !== 1)) throw malformed();
  return { key, backwards: backwards === 1 };
}

function parse(cursor: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

function malformed(): InvalidInputError {
  const message = 'cursor must be one that `next` or `previous` of this list named';
  return new InvalidInputError(message, { fields: [{ field: 'cursor', message }] });
}
