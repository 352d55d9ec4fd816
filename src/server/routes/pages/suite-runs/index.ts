import type { ServerRoute } from '@hapi/hapi';
import type { RouteDeps } from '../../../context.js';
import { suiteEventsRoute } from './events.js';
import { timelineRoute } from './timeline.js';

/** What the page of a suite run is made of beside itself. */
export function suiteRunPages(deps: RouteDeps): ServerRoute[] {
  return [timelineRoute(deps), suiteEventsRoute(deps)];
}
