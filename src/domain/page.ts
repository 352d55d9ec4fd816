export interface PageRequest {
  limit: number;
  /** From a page's `next` or `previous`; absent: the first page. */
  cursor?: string;
}

/** A page of a list. */
export interface Page<T> {
  /** Total number of entries, counted up to MAX_COUNT. */
  count: number;
  items: T[];
  /** Cursors of the adjacent pages. */
  next?: string;
  previous?: string;
}

/** Counting a million runs would cost more than reading the page. */
export const MAX_COUNT = 10_000;

/** A short list as a single page. */
export function wholeList<T>(items: T[]): Page<T> {
  return { count: items.length, items };
}
