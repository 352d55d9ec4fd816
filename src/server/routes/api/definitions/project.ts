import { projectChanges, type ProjectChanges } from '../../../../domain/definition-schemas.js';
import type { RouteDeps } from '../../../context.js';
import { callerOf } from '../../../access.js';
import { apiRoute } from '../../../api/api-route.js';
import { etagOf, expectedRevision } from '../../../api/etag.js';
import { projectParams } from '../../../api/shapes.js';
import { ETAG, projectShape, SAMPLE_PROJECT, showProject } from './shapes.js';

interface Params {
  projectId: string;
}

const project = ({ params }: { params: Record<string, string> }) => params.projectId;
const shown = { schema: projectShape, example: SAMPLE_PROJECT, headers: ETAG };

/** GET /api/v2/projects/{projectId}/ */
export function getProjectRoute({ definitions }: RouteDeps) {
  return apiRoute<{ Params: Params }>({
    method: 'GET',
    path: '/projects/{projectId}/',
    access: { right: 'project.read', project },
    params: projectParams,
    summary: 'Show a project',
    tag: 'Projects',
    answers: { 200: { description: 'The project.', ...shown } },
    async handler(request, h) {
      const seen = await definitions.projects.get(callerOf(request), request.params.projectId);
      return h.response(showProject(seen)).header('etag', etagOf(seen.project.revision));
    },
  });
}

/** PATCH /api/v2/projects/{projectId}/ */
export function editProjectRoute({ definitions }: RouteDeps) {
  return apiRoute<{ Params: Params; Payload: ProjectChanges }>({
    method: 'PATCH',
    path: '/projects/{projectId}/',
    access: { right: 'project.edit', project },
    params: projectParams,
    body: projectChanges.required(),
    bodyExample: { retentionDays: 30 },
    summary: 'Change a project',
    description: 'Its slug stays, for addresses hold it. `retentionDays: null`: as the server is told.',
    tag: 'Projects',
    ifMatch: true,
    answers: { 200: { description: 'The project as it is now.', ...shown } },
    async handler(request, h) {
      const { params, payload } = request;
      const expected = expectedRevision(request);
      const seen = await definitions.projects.edit(callerOf(request), params.projectId, expected, payload);
      return h.response(showProject(seen)).header('etag', etagOf(seen.project.revision));
    },
  });
}

/** DELETE /api/v2/projects/{projectId}/ */
export function removeProjectRoute({ definitions }: RouteDeps) {
  return apiRoute<{ Params: Params }>({
    method: 'DELETE',
    path: '/projects/{projectId}/',
    access: { right: 'project.remove', project },
    params: projectParams,
    summary: 'Remove a project',
    description:
      'Nobody sees it any more, and its webhooks lead nowhere. Its open runs are stopped within seconds; all its runs stay on record until their retention ends, and only admins can see them. Importing its file again brings it back, with a new webhook token.',
    tag: 'Projects',
    ifMatch: true,
    answers: { 204: { description: 'It is removed.' } },
    async handler(request, h) {
      await definitions.projects.remove(callerOf(request), request.params.projectId, expectedRevision(request));
      return h.response().code(204);
    },
  });
}
