import type { ServerRoute } from '@hapi/hapi';
import { defineRoute, type RouteDeps } from '#src/server/route-deps.js';
import { instanceAuditPage } from './audit/route.js';
import { healthPage } from './health/route.js';
import { poolPages } from './pools/route.js';
import { userRoutes } from './users/route.js';
import { workersPage } from './workers/route.js';

/** For the admins of the instance: its health, workers, pools, people, audit. */
export function adminPages(deps: RouteDeps): ServerRoute[] {
  return [
    adminRoute(),
    healthPage(deps),
    workersPage(deps),
    ...poolPages(deps),
    ...userRoutes(deps),
    instanceAuditPage(deps),
  ];
}

/** GET /admin: its first tab. */
function adminRoute(): ServerRoute {
  return defineRoute({
    method: 'GET',
    path: '/admin',
    options: { app: { access: { right: 'instance.read' } } },
    handler: (_request, h) => h.redirect('/admin/health').code(303),
  });
}
