import type { ServerRoute } from '@hapi/hapi';
import { API_BASE } from '#src/server/api/api-route.js';
import { openApiOf } from '#src/server/api/openapi.js';
import type { RouteDeps } from '#src/server/route-deps.js';

/** GET /api/v2/openapi.json: the OpenAPI document. It contains no secrets and is public. */
export function openApiRoute({ publicUrl, version }: Pick<RouteDeps, 'publicUrl' | 'version'>): ServerRoute {
  let description: string | undefined;
  return {
    method: 'GET',
    path: `${API_BASE}/openapi.json`,
    options: { app: { access: 'public' } },
    handler(request, h) {
      description ??= JSON.stringify(openApiOf(request.server, { publicUrl, version }));
      return h.response(description).type('application/json');
    },
  };
}
