import type { ServerRoute } from '@hapi/hapi';
import { ScheduleListPage } from './page.js';
import { inProject } from '#src/server/http/route-access.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { openedProject, type ProjectParams } from '#src/server/pages/opened-project.js';
import { pageRoute } from '#src/server/pages/page-route.js';

/** GET /projects/{id}/schedules */
export function listRoute(deps: RouteDeps): ServerRoute {
  return pageRoute<ProjectParams>({
    path: '/projects/{projectId}/schedules',
    access: inProject('definitions.read'),
    async show(request, page) {
      const [project, items] = await Promise.all([
        openedProject(deps, request),
        deps.definitions.scheduleViews.ofProject(request.params.projectId),
      ]);
      return ScheduleListPage({ page, project, items });
    },
  });
}
