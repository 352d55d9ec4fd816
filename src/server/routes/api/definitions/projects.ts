import Joi from 'joi';
import { newProject, type NewProject } from '../../../../domain/definition-schemas.js';
import type { RouteDeps } from '../../../context.js';
import { callerOf } from '../../../access.js';
import { apiRoute } from '../../../api/api-route.js';
import { etagOf } from '../../../api/etag.js';
import { idempotencyKeyOf } from '../../../api/idempotency.js';
import { listAnswer, pageRequestOf } from '../../../api/paging.js';
import { listOf, paging } from '../../../api/shapes.js';
import { ETAG, projectShape, SAMPLE_PROJECT, search, showProject } from './shapes.js';

interface ListQuery {
  limit: number;
  cursor?: string;
  search?: string;
}

/** GET /api/v2/projects/: those that the caller may see. */
export function listProjectsRoute({ definitions, publicUrl }: RouteDeps) {
  return apiRoute<{ Query: ListQuery }>({
    method: 'GET',
    path: '/projects/',
    access: { right: 'self.read' },
    query: Joi.object({ ...paging, search }),
    summary: 'List projects',
    description: 'Those that you may see, by name.',
    tag: 'Projects',
    answers: { 200: { description: 'A page of projects.', schema: listOf(projectShape) } },
    async handler(request) {
      const { query } = request;
      const page = await definitions.projects.list(callerOf(request), query.search, pageRequestOf(query));
      return listAnswer(request, publicUrl, page, showProject);
    },
  });
}

/** POST /api/v2/projects/: whoever makes a project owns it. */
export function createProjectRoute({ definitions }: RouteDeps) {
  const answer = { schema: projectShape, example: SAMPLE_PROJECT, headers: ETAG };
  return apiRoute<{ Payload: NewProject }>({
    method: 'POST',
    path: '/projects/',
    access: { right: 'projects.create' },
    body: newProject.required(),
    bodyExample: { name: 'Shop' },
    summary: 'Create a project',
    description: 'You become its owner. It has a webhook token from the start.',
    tag: 'Projects',
    idempotent: true,
    answers: {
      201: { description: 'The new project.', ...answer },
      200: { description: 'The project that this Idempotency-Key has made before.', ...answer },
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
