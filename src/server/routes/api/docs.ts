import type { ServerRoute } from '@hapi/hapi';
import { ApiPage, type ApiDocument } from '../../../web/pages/api-page.js';
import { API_BASE } from '../../api/api-route.js';
import { openApiOf } from '../../api/openapi.js';
import type { RouteDeps } from '../../context.js';
import { pageResponse } from '../../page-response.js';
import { pageContextOf } from '../../pages/page-context.js';

/** GET /api/v2/docs: the API's description as a page. */
export function apiDocsRoute({ publicUrl, version }: Pick<RouteDeps, 'publicUrl' | 'version'>): ServerRoute {
  return {
    method: 'GET',
    path: `${API_BASE}/docs`,
    // Who is signed in keeps his menu.
    options: { app: { access: 'maybe-signed-in' } },
    handler(request, h) {
      const api = openApiOf(request.server, { publicUrl, version }) as unknown as ApiDocument;
      return pageResponse(h, ApiPage({ api, page: pageContextOf(request) }));
    },
  };
}
