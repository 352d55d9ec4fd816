import { MAX_COUNT, type Page } from '#src/domain/page.js';

interface PagingProps {
  page: Pick<Page<unknown>, 'count' | 'next' | 'previous'>;
  /** Path with the filters of the list, without a cursor. */
  path: string;
  /** What the list is of: `run`. */
  noun: string;
  /** Where it is more than the noun with an s. */
  plural?: string;
}

/** Below a list: how many there are, and the pages beside this one. */
export function Paging({ page: { count, next, previous }, path, noun, plural = `${noun}s` }: PagingProps) {
  const to = (cursor: string) => `${path}${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}`;
  return (
    <nav class="paging" aria-label="Pages">
      <span>
        {count >= MAX_COUNT
          ? `${MAX_COUNT.toLocaleString('en')} ${plural} or more`
          : `${count.toLocaleString('en')} ${count === 1 ? noun : plural}`}
      </span>
      {previous ? (
        <a class="btn btn-sm btn-outline-secondary" href={to(previous)} rel="prev">
          Previous
        </a>
      ) : null}
      {next ? (
        <a class="btn btn-sm btn-outline-secondary" href={to(next)} rel="next">
          Next
        </a>
      ) : null}
    </nav>
  );
}
