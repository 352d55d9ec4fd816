import type { ServerRoute } from '@hapi/hapi';
import { ApiPage, type ApiDocument } from './page.js';
import { API_BASE } from '#src/server/api/api-route.js';
import { openApiOf } from '#src/server/api/openapi.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { pageResponse } from '#src/server/http/page-response.js';
import { pageContextOf } from '#src/server/pages/page-context-of.js';

/** GET /api/v2/docs: the API's description as a page. */
export function apiDocsRoute({ publicUrl, version }: Pick<RouteDeps, 'publicUrl' | 'version'>): ServerRoute {
  return {
    method: 'GET',
    path: `${API_BASE}/docs`,
    // A signed-in person keeps the menu.
    options: { app: { access: 'maybe-signed-in' } },
    handler(request, h) {
      const api = openApiOf(request.server, { publicUrl, version }) as unknown as ApiDocument;
      return pageResponse(h, ApiPage({ api, page: pageContextOf(request) }));
    },
  };
}
