import type { ServerRoute } from '@hapi/hapi';
import { WorkersPage } from './page.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { pageRoute } from '#src/server/pages/page-route.js';

/** GET /admin/workers: pools, their queues and their workers. */
export function workersPage({ instance }: RouteDeps): ServerRoute {
  return pageRoute({
    path: '/admin/workers',
    access: { right: 'instance.read' },
    show: async (_request, page) => WorkersPage({ page, ...(await instance.workers()) }),
  });
}
