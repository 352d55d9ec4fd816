import Joi from 'joi';
import type { PageRequest } from '#src/domain/page.js';
import type { AuditEntry } from '#src/domain/people/people.js';
import { apiRoute } from '#src/server/api/api-route.js';
import { listAnswer, pageRequestOf } from '#src/server/api/paging.js';
import { listOf, moment, paging, projectParams, uuid } from '#src/server/api/shapes.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { inProject } from '#src/server/http/route-access.js';

const fact = Joi.alternatives(
  Joi.string().allow(''),
  Joi.number(),
  Joi.boolean(),
  Joi.array().items(Joi.string().allow('')),
);
const entry = Joi.object({
  id: uuid.required(),
  at: moment.required(),
  projectId: uuid.allow(null).required(),
  actor: Joi.object({
    type: Joi.string().valid('user', 'token', 'system', 'anonymous').required(),
    id: Joi.string().allow(null).required(),
    name: Joi.string().allow('').required(),
  }).required(),
  action: Joi.string().required(),
  target: Joi.object({
    type: Joi.string().required(),
    id: Joi.string().required(),
    name: Joi.string().allow('', null).required(),
  })
    .allow(null)
    .required(),
  from: Joi.string().allow(null).required().description('IP address.'),
  details: Joi.object().pattern(Joi.string(), fact).required(),
});
const answers = { 200: { description: 'Audit entries, newest first.', schema: listOf(entry) } };

function show({ _id, at, projectId, actor, action, target, from, details }: AuditEntry) {
  return {
    id: _id,
    at: at.toISOString(),
    projectId: projectId ?? null,
    actor: { type: actor.type, id: actor.id ?? null, name: actor.name },
    action,
    target: target ? { type: target.type, id: target.id, name: target.name ?? null } : null,
    from: from ?? null,
    details: details ?? {},
  };
}

/** GET /api/v2/projects/{projectId}/audit/ */
export function projectAuditRoute({ people, publicUrl }: RouteDeps) {
  return apiRoute<{ Params: { projectId: string }; Query: PageRequest }>({
    method: 'GET',
    path: '/projects/{projectId}/audit/',
    access: inProject('audit.read'),
    summary: 'List the audit log of a project',
    tag: 'Audit',
    params: projectParams,
    query: Joi.object(paging),
    answers,
    async handler(request) {
      const page = await people.audit(request.params.projectId, pageRequestOf(request.query));
      return listAnswer(request, publicUrl, page, show);
    },
  });
}

/** GET /api/v2/audit/ */
export function auditRoute({ people, publicUrl }: RouteDeps) {
  return apiRoute<{ Query: PageRequest }>({
    method: 'GET',
    path: '/audit/',
    access: { right: 'instance.read' },
    summary: 'List the audit log',
    description: 'Includes successful and failed sign-ins.',
    tag: 'Audit',
    query: Joi.object(paging),
    answers,
    async handler(request) {
      return listAnswer(request, publicUrl, await people.audit(undefined, pageRequestOf(request.query)), show);
    },
  });
}
