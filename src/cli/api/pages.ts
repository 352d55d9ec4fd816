import type { Http, HttpRequest } from './http.js';
import type { Page } from './responses.js';

const MAX_PAGE = 500;

/** Iterates over a paged list. @param max number of items */
export async function* everyItem<T>(http: Http, request: HttpRequest, max = Infinity): AsyncGenerator<T> {
  let yielded = 0;
  const limit = Math.min(max, MAX_PAGE);
  let page = await http.json<Page<T>>({ ...request, query: { ...request.query, limit } });
  for (;;) {
    for (const item of page.results) {
      yield item;
      if (++yielded >= max) return;
    }
    if (page.next === null || page.results.length === 0) return;
    page = await http.json<Page<T>>({ ...request, query: {}, path: page.next });
  }
}

/** Reads a paged list into an array. */
export async function allItems<T>(http: Http, request: HttpRequest, max?: number): Promise<T[]> {
  const items: T[] = [];
  for await (const item of everyItem<T>(http, request, max)) items.push(item);
  return items;
}
