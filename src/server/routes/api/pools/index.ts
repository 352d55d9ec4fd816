import type { ServerRoute } from '@hapi/hapi';
import type { RouteDeps } from '#src/server/route-deps.js';
import { changePoolRoute, poolRoute, removePoolRoute } from './pool.js';
import { createPoolRoute, poolsOfProjectRoute, poolsRoute } from './pools.js';

/** Pools and the projects that can use them. */
export function poolRoutes(deps: RouteDeps): ServerRoute[] {
  return [
    poolsRoute(deps),
    createPoolRoute(deps),
    poolRoute(deps),
    changePoolRoute(deps),
    removePoolRoute(deps),
    poolsOfProjectRoute(deps),
  ];
}
