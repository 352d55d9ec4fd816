import type { Request } from '@hapi/hapi';
import type { Page, PageRequest } from '#src/domain/page.js';

/** A page of a list as the API returns it; its schema is `listOf` in shapes.ts. */
export interface ListAnswer<Shown> {
  count: number;
  next: string | null;
  previous: string | null;
  results: Shown[];
}

/** The page that a query requests (see `paging` in shapes.ts). */
export function pageRequestOf({ limit, cursor }: PageRequest): PageRequest {
  return { limit, cursor };
}

/**
 * A page as the API returns it. The URLs of the next and previous pages keep the filters.
 * @param publicUrl without a trailing slash
 */
export function listAnswer<T, Shown>(
  { url }: Pick<Request, 'url'>,
  publicUrl: string,
  { count, items, next, previous }: Page<T>,
  show: (item: T) => Shown,
): ListAnswer<Shown> {
  const address = (cursor: string | undefined) => {
    if (cursor === undefined) return null;
    const query = new URLSearchParams(url.searchParams);
    query.set('cursor', cursor);
    return `${publicUrl}${url.pathname.replace(/\/?$/, '/')}?${query}`;
  };
  return { count, next: address(next), previous: address(previous), results: items.map(show) };
}
