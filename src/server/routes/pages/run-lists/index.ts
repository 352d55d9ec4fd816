import type { ServerRoute } from '@hapi/hapi';
import type { RouteDeps } from '../../../context.js';
import { runsEventsRoute } from './events.js';
import { runsPageRoute } from './list.js';

/** The runs of a project. */
export function runListPages(deps: RouteDeps): ServerRoute[] {
  return [runsPageRoute(deps), runsEventsRoute(deps)];
}
