import { projectChanges, type ProjectChanges } from '#src/domain/targets/definition-schemas.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { callerOf } from '#src/server/http/route-access.js';
import { apiRoute } from '#src/server/api/api-route.js';
import { etagOf, expectedRevision } from '#src/server/api/etag.js';
import { projectParams } from '#src/server/api/shapes.js';
import { ETAG, projectShape, SAMPLE_PROJECT, showProject } from '#src/server/routes/api/targets/target-shapes.js';

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
    summary: 'Retrieve a project',
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
    summary: 'Update a project',
    description:
      'The slug does not change, because URLs contain it. `retentionDays: null` applies the server’s default.',
    tag: 'Projects',
    ifMatch: true,
    answers: { 200: { description: 'The updated project.', ...shown } },
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
    summary: 'Delete a project',
    description:
      'The project is no longer visible to its members, and its webhooks stop working. Runs in progress are stopped within seconds. All runs are kept until their retention ends, visible to admins only. Importing the project file again restores the project with a new webhook token.',
    tag: 'Projects',
    ifMatch: true,
    answers: { 204: { description: 'The project is deleted.' } },
    async handler(request, h) {
      await definitions.projects.remove(callerOf(request), request.params.projectId, expectedRevision(request));
      return h.response().code(204);
    },
  });
}
