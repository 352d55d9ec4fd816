import type { ServerRoute } from '@hapi/hapi';
import { inProject } from '../../../access.js';
import { defineRoute, type RouteDeps } from '../../../context.js';
import { auditPage } from './audit.js';
import { generalRoutes } from './general.js';
import { invitationRoutes } from './invitations.js';
import { limitRoutes } from './limits.js';
import { memberRoutes } from './members.js';
import { profileRoutes } from './profiles.js';
import type { ProjectParams } from '../../../pages/opened-project.js';
import { SETTINGS } from './settings.js';
import { tokenRoutes } from './tokens.js';
import { variableRoutes } from './variables.js';

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
    ...profileRoutes(deps),
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
