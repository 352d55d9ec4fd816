import type { ServerRoute } from '@hapi/hapi';
import { defineRoute, type RouteDeps } from '../../../context.js';
import { instanceAuditPage } from './audit.js';
import { healthPage } from './health.js';
import { poolPages } from './pools.js';
import { userRoutes } from './users.js';
import { workersPage } from './workers.js';

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
