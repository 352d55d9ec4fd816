import type { ServerRoute } from '@hapi/hapi';
import type { RouteDeps } from '#src/server/route-deps.js';
import { itemFormPages } from '#src/server/forms/item-form.js';
import { listRoute } from './list/route.js';
import { previewRoute } from './form/preview-route.js';
import { scheduleForm } from './form/schedule-form.js';
import { pauseRoutes, removeRoutes } from './actions/route.js';
import { showRoute } from './show/route.js';

/** Schedules: the list of a project, and the page of one with what can be done with it. */
export function schedulePages(deps: RouteDeps): ServerRoute[] {
  return [
    listRoute(deps),
    ...itemFormPages(deps, scheduleForm(deps)),
    previewRoute(deps),
    showRoute(deps),
    ...pauseRoutes(deps),
    ...removeRoutes(deps),
  ];
}
