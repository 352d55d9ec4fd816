import type { RouteDeps } from '#src/server/route-deps.js';
import { apiRoute } from '#src/server/api/api-route.js';
import { projectParams } from '#src/server/api/shapes.js';
import { conflict } from '#src/server/routes/api/targets/target-shapes.js';
import { inProject } from '#src/server/http/route-access.js';

/** GET /api/v2/projects/{projectId}/export/: the project as a file. */
export function exportRoute({ definitions }: RouteDeps) {
  return apiRoute<{ Params: { projectId: string } }>({
    method: 'GET',
    path: '/projects/{projectId}/export/',
    access: inProject('definitions.read'),
    params: projectParams,
    summary: 'Export a project file',
    description: 'Importing the file again changes nothing.',
    tag: 'Projects',
    answers: {
      200: { description: 'The project file.', contentType: 'application/yaml' },
      409: conflict('`archived_test`: a suite contains an archived test.'),
    },
    async handler({ params }, h) {
      return h.response(await definitions.exportProject(params.projectId)).type('application/yaml');
    },
  });
}
