import type { ServerRoute } from '@hapi/hapi';
import type { RouteDeps } from '#src/server/route-deps.js';
import { suiteEventsRoute } from './suite-run/events.js';
import { timelineRoute } from './timeline/route.js';

/** What the page of a suite run is made of beside itself. */
export function suiteRunPages(deps: RouteDeps): ServerRoute[] {
  return [timelineRoute(deps), suiteEventsRoute(deps)];
}
