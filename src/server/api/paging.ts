import type { Request } from '@hapi/hapi';
import type { Page, PageRequest } from '../../domain/page.js';

/** A page of a list as the API answers it; its schema is `listOf` in shapes.ts. */
export interface ListAnswer<Shown> {
  count: number;
  next: string | null;
  previous: string | null;
  results: Shown[];
}

/** What a request's query (see `paging` in shapes.ts) asks of a list. */
export function pageRequestOf({ limit, cursor }: PageRequest): PageRequest {
  return { limit, ...(cursor === undefined ? {} : { cursor }) };
}

/**
 * A page as the API answers it. The addresses of its neighbours have the same filters.
 * @param publicUrl no slash at its end
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
