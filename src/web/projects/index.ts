import type { ServerRoute } from '@hapi/hapi';
import type { RouteDeps } from '#src/server/route-deps.js';
import { homeRoute } from './home/route.js';
import { importRoutes } from './import/route.js';
import { newProjectRoutes } from './new/route.js';
import { projectRoute } from './project/route.js';

/** Projects: the home page, making one, importing its file. */
export function projectPages(deps: RouteDeps): ServerRoute[] {
  return [homeRoute(deps), ...newProjectRoutes(deps), ...importRoutes(deps), projectRoute()];
}
