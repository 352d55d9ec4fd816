import type { ServerRoute } from '@hapi/hapi';
import type { RouteDeps } from '#src/server/route-deps.js';
import { insightsRoute } from './route.js';

/** How a project did over time. */
export function insightsPages(deps: RouteDeps): ServerRoute[] {
  return [insightsRoute(deps)];
}
