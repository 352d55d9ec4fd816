import type { ServerRoute } from '@hapi/hapi';
import type { RouteDeps } from '#src/server/route-deps.js';
import { runsEventsRoute } from './events.js';
import { runsPageRoute } from './route.js';

/** The runs of a project. */
export function runListPages(deps: RouteDeps): ServerRoute[] {
  return [runsPageRoute(deps), runsEventsRoute(deps)];
}
