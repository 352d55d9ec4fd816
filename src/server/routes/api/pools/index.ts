import type { ServerRoute } from '@hapi/hapi';
import type { RouteDeps } from '../../../context.js';
import { changePoolRoute, poolRoute, removePoolRoute } from './pool.js';
import { createPoolRoute, poolsOfProjectRoute, poolsRoute } from './pools.js';

/** Pools, and which projects may use them. */
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
