import type { ServerRoute } from '@hapi/hapi';
import { NotFoundError } from '#src/domain/errors.js';
import { pageResponse } from '#src/server/http/page-response.js';
import { pageContextOf } from '#src/server/pages/page-context-of.js';
import { defineRoute } from '#src/server/route-deps.js';
import { docLibrary } from './library.js';
import { DocView } from './page.js';
import { searchDocs } from './search.js';
import { DocSearchView } from './search-page.js';

const LONGEST_QUERY = 200;
const NO_PAGE = 'There is no such page in the documentation. Search it at /docs/search.';

/** The documentation in docs/: its pages, the search, and the pictures that pages show. Everyone can read it. */
export function docsRoutes(): ServerRoute[] {
  return [pageRoute(), searchRoute(), pictureRoute()];
}

function pageRoute(): ServerRoute {
  return defineRoute<{ Params: { page?: string } }>({
    method: 'GET',
    path: '/docs/{page*}',
    options: { app: { access: 'maybe-signed-in' } },
    handler(request, h) {
      const { pages, chapters } = docLibrary();
      const doc = pages.get(request.params.page ?? '');
      if (!doc) throw new NotFoundError(NO_PAGE);
      return pageResponse(h, DocView({ doc, chapters, page: pageContextOf(request) }));
    },
  });
}

function searchRoute(): ServerRoute {
  return defineRoute<{ Query: { q?: string | string[] } }>({
    method: 'GET',
    path: '/docs/search',
    options: { app: { access: 'maybe-signed-in' } },
    handler(request, h) {
      const { pages, chapters } = docLibrary();
      const query = [request.query.q ?? ''].flat().join(' ').trim().slice(0, LONGEST_QUERY);
      const hits = searchDocs(pages.values(), query);
      return pageResponse(h, DocSearchView({ query, hits, chapters, page: pageContextOf(request) }));
    },
  });
}

function pictureRoute(): ServerRoute {
  return defineRoute<{ Params: { page: string; file: string } }>({
    method: 'GET',
    path: '/docs/screenshots/{page}/{file}',
    options: { app: { access: 'public' } },
    handler({ params }, h) {
      const picture = docLibrary().picture(`${params.page}/${params.file}`);
      if (!picture) throw new NotFoundError(NO_PAGE);
      return h
        .response(picture)
        .type('image/png')
        .header('cache-control', 'no-cache')
        .header('x-content-type-options', 'nosniff');
    },
  });
}
