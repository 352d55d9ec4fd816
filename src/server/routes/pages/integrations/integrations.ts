import type { ServerRoute } from '@hapi/hapi';
import { inProject } from '../../../access.js';
import { defineRoute } from '../../../context.js';
import type { ProjectParams } from '../../../pages/opened-project.js';
import { webhooksPath } from './webhook-tokens.js';

/** GET /projects/{id}/integrations: leads to its first tab. */
export function integrationsRoute(): ServerRoute {
  return defineRoute<ProjectParams>({
    method: 'GET',
    path: '/projects/{projectId}/integrations',
    options: { app: { access: inProject('runs.read') } },
    handler: ({ params }, h) => h.redirect(webhooksPath(params.projectId)).code(303),
  });
}
