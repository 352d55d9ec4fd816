import Joi from 'joi';
import type { AuditEntry } from '../../../../domain/people.js';
import { apiRoute } from '../../../api/api-route.js';
import { pageAnswer, pageRequest, type PagingQuery } from '../../../api/page.js';
import { listOf, moment, paging, projectParams, uuid } from '../../../api/shapes.js';
import type { RouteDeps } from '../../../context.js';

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
  from: Joi.string().allow(null).required().description('Network address.'),
  details: Joi.object().pattern(Joi.string(), fact).required(),
});
const answers = { 200: { description: 'Newest first.', schema: listOf(entry) } };

function show({ _id, at, projectId, actor, action, target, from, details }: AuditEntry) {
  return {
    id: _id,
    at,
    projectId: projectId ?? null,
    actor: { type: actor.type, id: actor.id ?? null, name: actor.name },
    action,
    target: target ? { type: target.type, id: target.id, name: target.name ?? null } : null,
    from: from ?? null,
    details: details ?? {},
  };
}

const keyOf = ({ at, _id }: AuditEntry) => [at, _id];
const KEY = ['date', 'string'] as const;

/** GET /api/v2/projects/{projectId}/audit/ */
export function projectAuditRoute({ people, publicUrl }: RouteDeps) {
  return apiRoute<{ Params: { projectId: string }; Query: PagingQuery }>({
    method: 'GET',
    path: '/projects/{projectId}/audit/',
    access: { right: 'audit.read', project: ({ params }) => params.projectId },
    summary: 'Who did what in this project',
    tag: 'Audit',
    params: projectParams,
    query: Joi.object(paging),
    answers,
    async handler(request) {
      const { count, ...page } = await people.audit(request.params.projectId, pageRequest(request.query, KEY));
      return pageAnswer(request, publicUrl, page, { count, keyOf, show });
    },
  });
}

/** GET /api/v2/audit/ */
export function auditRoute({ people, publicUrl }: RouteDeps) {
  return apiRoute<{ Query: PagingQuery }>({
    method: 'GET',
    path: '/audit/',
    access: { right: 'instance.read' },
    summary: 'Who did what',
    description: 'Sign-ins and refused ones too.',
    tag: 'Audit',
    query: Joi.object(paging),
    answers,
    async handler(request) {
      const { count, ...page } = await people.audit(undefined, pageRequest(request.query, KEY));
      return pageAnswer(request, publicUrl, page, { count, keyOf, show });
    },
  });
}
