import type { ServerRoute } from '@hapi/hapi';
import { inProject } from '#src/server/http/route-access.js';
import { defineRoute, type RouteDeps } from '#src/server/route-deps.js';
import { auditPage } from './audit/route.js';
import { generalRoutes } from './general/route.js';
import { invitationRoutes } from './members/invitations-route.js';
import { limitRoutes } from './limits/route.js';
import { memberRoutes } from './members/route.js';
import { variableSetRoutes } from './variable-sets/route.js';
import type { ProjectParams } from '#src/server/pages/opened-project.js';
import { SETTINGS } from './redirect.js';
import { tokenRoutes } from './tokens/route.js';
import { variableRoutes } from './variables/route.js';

/** The settings of a project, a tab each. */
export function settingsPages(deps: RouteDeps): ServerRoute[] {
  return [
    settingsRoute(),
    ...generalRoutes(deps),
    ...memberRoutes(deps),
    ...invitationRoutes(deps),
    ...tokenRoutes(deps),
    ...limitRoutes(deps),
    ...variableRoutes(deps),
    ...variableSetRoutes(deps),
    auditPage(deps),
  ];
}

/** GET /projects/{projectId}/settings: its first tab. */
function settingsRoute(): ServerRoute {
  return defineRoute<ProjectParams>({
    method: 'GET',
    path: SETTINGS,
    options: { app: { access: inProject('project.read') } },
    handler: ({ params }, h) => h.redirect(`/projects/${params.projectId}/settings/general`).code(303),
  });
}
