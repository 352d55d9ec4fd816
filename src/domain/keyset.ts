/** Which page of a list somebody asks for. */
export interface KeysetRequest {
  limit: number;
  /** The values of the order's fields in the row that the page begins behind, or, backwards, ends before. */
  from?: { key: readonly unknown[]; backwards: boolean };
}

/** A page in the list's order. */
export interface KeysetPage<T> {
  rows: T[];
  hasPrevious: boolean;
  hasNext: boolean;
}
