import type { Page, Response } from 'playwright-core';

/** Maximum compressed size of a page's assets at its first load. */
const MAX_BYTES = 150 * 1024;
const FOR_EVER = /max-age=31536000.*immutable/;

/**
 * Loads a page with an empty cache.
 * @returns problems of its static files: too large, or not cacheable forever
 */
export async function firstLoadProblems(page: Page, go: () => Promise<unknown>): Promise<string[]> {
  const responses: Response[] = [];
  page.on('response', (response) => {
    if (new URL(response.url()).pathname.startsWith('/assets/')) responses.push(response);
  });
  await go();
  const sizes = await Promise.all(
    responses.map(async (response) => (await response.request().sizes()).responseBodySize),
  );
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  const kept = responses.map((response) => response.headers()['cache-control'] ?? '');
  return [
    ...(bytes > MAX_BYTES ? [`${bytes} bytes of assets at the first load`] : []),
    ...responses
      .filter((_, index) => !FOR_EVER.test(kept[index]!))
      .map((response) => `not cached for ever: ${response.url()}`),
    ...(responses.length === 0 ? ['no assets at all'] : []),
  ];
}
