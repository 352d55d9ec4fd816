import type { ServerRoute } from '@hapi/hapi';
import type { RouteDeps } from '#src/server/route-deps.js';
import { editScheduleRoutes } from './edit/route.js';
import { listRoute } from './list/route.js';
import { newScheduleRoutes, previewRoute } from './new/route.js';
import { pauseRoutes, removeRoutes } from './actions/route.js';
import { showRoute } from './show/route.js';

/** Schedules: the list of a project, and the page of one with what can be done with it. */
export function schedulePages(deps: RouteDeps): ServerRoute[] {
  return [
    listRoute(deps),
    ...newScheduleRoutes(deps),
    previewRoute(),
    showRoute(deps),
    ...editScheduleRoutes(deps),
    ...pauseRoutes(deps),
    ...removeRoutes(deps),
  ];
}
