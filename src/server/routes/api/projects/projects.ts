import Joi from 'joi';
import { newProject, type NewProject } from '#src/domain/targets/definition-schemas.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { callerOf } from '#src/server/http/route-access.js';
import { apiRoute } from '#src/server/api/api-route.js';
import { etagOf } from '#src/server/api/etag.js';
import { idempotencyKeyOf } from '#src/server/api/idempotency.js';
import { listAnswer, pageRequestOf } from '#src/server/api/paging.js';
import { listOf, paging } from '#src/server/api/shapes.js';
import {
  ETAG,
  projectShape,
  SAMPLE_PROJECT,
  search,
  showProject,
} from '#src/server/routes/api/targets/target-shapes.js';

interface ListQuery {
  limit: number;
  cursor?: string;
  search?: string;
}

/** GET /api/v2/projects/: projects visible to the caller. */
export function listProjectsRoute({ definitions, publicUrl }: RouteDeps) {
  return apiRoute<{ Query: ListQuery }>({
    method: 'GET',
    path: '/projects/',
    access: { right: 'self.read' },
    query: Joi.object({ ...paging, search }),
    summary: 'List projects',
    description: 'Projects you have access to, sorted by name.',
    tag: 'Projects',
    answers: { 200: { description: 'A page of projects.', schema: listOf(projectShape) } },
    async handler(request) {
      const { query } = request;
      const page = await definitions.projects.list(callerOf(request), query.search, pageRequestOf(query));
      return listAnswer(request, publicUrl, page, showProject);
    },
  });
}

/** POST /api/v2/projects/: the caller becomes the owner. */
export function createProjectRoute({ definitions }: RouteDeps) {
  const answer = { schema: projectShape, example: SAMPLE_PROJECT, headers: ETAG };
  return apiRoute<{ Payload: NewProject }>({
    method: 'POST',
    path: '/projects/',
    access: { right: 'projects.create' },
    body: newProject.required(),
    bodyExample: { name: 'Shop' },
    summary: 'Create a project',
    description: 'You become its owner. The project starts with a webhook token.',
    tag: 'Projects',
    idempotent: true,
    answers: {
      201: { description: 'The new project.', ...answer },
      200: { description: 'The project previously created with this Idempotency-Key.', ...answer },
    },
    async handler(request, h) {
      const key = idempotencyKeyOf(request);
      const { isNew, ...seen } = await definitions.projects.create(callerOf(request), request.payload, key);
      return h
        .response(showProject(seen))
        .code(isNew ? 201 : 200)
        .header('etag', etagOf(seen.project.revision));
    },
  });
}
