import type { RouteDeps } from '../../../context.js';
import { apiRoute } from '../../../api/api-route.js';
import { projectParams } from '../../../api/shapes.js';
import { conflict } from './shapes.js';
import { inProject } from '../../../access.js';

/** GET /api/v2/projects/{projectId}/export/: the project as a file. */
export function exportRoute({ definitions }: RouteDeps) {
  return apiRoute<{ Params: { projectId: string } }>({
    method: 'GET',
    path: '/projects/{projectId}/export/',
    access: inProject('definitions.read'),
    params: projectParams,
    summary: 'Export a project file',
    description: 'Importing it again changes nothing.',
    tag: 'Projects',
    answers: {
      200: { description: 'The project file.', contentType: 'application/yaml' },
      409: conflict('`archived_test`: a suite names a test that was removed.'),
    },
    async handler({ params }, h) {
      return h.response(await definitions.exportProject(params.projectId)).type('application/yaml');
    },
  });
}
