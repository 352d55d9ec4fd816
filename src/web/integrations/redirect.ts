import type { ServerRoute } from '@hapi/hapi';
import { inProject } from '#src/server/http/route-access.js';
import { defineRoute } from '#src/server/route-deps.js';
import type { ProjectParams } from '#src/server/pages/opened-project.js';
import { webhooksPath } from './webhooks/webhook-tokens-route.js';

/** GET /projects/{id}/integrations: leads to its first tab. */
export function integrationsRoute(): ServerRoute {
  return defineRoute<ProjectParams>({
    method: 'GET',
    path: '/projects/{projectId}/integrations',
    options: { app: { access: inProject('runs.read') } },
    handler: ({ params }, h) => h.redirect(webhooksPath(params.projectId)).code(303),
  });
}
