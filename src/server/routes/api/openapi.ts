import type { ServerRoute } from '@hapi/hapi';
import { API_BASE } from '../../api/api-route.js';
import { openApiOf } from '../../api/openapi.js';
import type { RouteDeps } from '../../context.js';

/** GET /api/v2/openapi.json: the API's own description. It holds no secret and is open to everybody. */
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
