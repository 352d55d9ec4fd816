import type { ServerRoute } from '@hapi/hapi';
import { defineRoute } from '#src/server/route-deps.js';
import { inProject } from '#src/server/http/route-access.js';

/** GET /projects/{id}: leads to its tests. */
export function projectRoute(): ServerRoute {
  return defineRoute<{ Params: { projectId: string } }>({
    method: 'GET',
    path: '/projects/{projectId}',
    options: { app: { access: inProject('definitions.read') } },
    handler: (request, h) => h.redirect(`/projects/${request.app.project!.id}/tests`).code(303),
  });
}
