/** What a caller asks of a paged list. */
export interface PageRequest {
  /** How many at most. */
  limit: number;
  /** Of a page's `next` or `previous`; none, the first page. */
  cursor?: string;
}

/** A page of a list. */
export interface Page<T> {
  /** How many there are in all; counted up to MAX_COUNT. */
  count: number;
  items: T[];
  /** Cursors of the pages beside it; absent where there is none. */
  next?: string;
  previous?: string;
}

/** Lists are counted no further: the count of a million runs would cost more than the page. */
export const MAX_COUNT = 10_000;

/** A list that is short by its nature, as one page. */
export function wholeList<T>(items: T[]): Page<T> {
  return { count: items.length, items };
}
