import type { ServerRoute } from '@hapi/hapi';
import type { RouteDeps } from '../../../context.js';
import { editScheduleRoutes } from './edit.js';
import { listRoute } from './list.js';
import { newScheduleRoutes, previewRoute } from './new.js';
import { pauseRoutes, removeRoutes } from './actions.js';
import { showRoute } from './show.js';

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
