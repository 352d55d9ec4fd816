import type { Http, HttpRequest } from './http.js';
import type { Page } from './answers.js';

const LARGEST_PAGE = 500;

/** All of a list, page after page. @param most ends the list after so many */
export async function* everyItem<T>(http: Http, request: HttpRequest, most = Infinity): AsyncGenerator<T> {
  let given = 0;
  const limit = Math.min(most, LARGEST_PAGE);
  let page = await http.json<Page<T>>({ ...request, query: { ...request.query, limit } });
  for (;;) {
    for (const item of page.results) {
      yield item;
      if (++given >= most) return;
    }
    if (page.next === null || page.results.length === 0) return;
    page = await http.json<Page<T>>({ ...request, query: {}, path: page.next });
  }
}

/** The same as an array. */
export async function allItems<T>(http: Http, request: HttpRequest, most?: number): Promise<T[]> {
  const items: T[] = [];
  for await (const item of everyItem<T>(http, request, most)) items.push(item);
  return items;
}
