import type { ServerRoute } from '@hapi/hapi';
import { HealthPage } from './page.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { pageRoute } from '#src/server/pages/page-route.js';

/** GET /admin/health: shows what is unavailable, and answers even then. */
export function healthPage({ instance, version, temporalUi }: RouteDeps): ServerRoute {
  return pageRoute({
    path: '/admin/health',
    access: { right: 'instance.read' },
    show: async (_request, page) =>
      HealthPage({ page, version, temporalUiUrl: temporalUi?.url, ...(await instance.health()) }),
  });
}
