import Joi from 'joi';
import type { Invitation } from '#src/domain/people/people.js';
import type { Role } from '#src/domain/people/rights.js';
import { callerOf, inProject } from '#src/server/http/route-access.js';
import { wholeList } from '#src/domain/page.js';
import { apiRoute } from '#src/server/api/api-route.js';
import { idempotencyKeyOf } from '#src/server/api/idempotency.js';
import { listAnswer } from '#src/server/api/paging.js';
import { listOf, moment, projectParams, uuid, wholeListQuery } from '#src/server/api/shapes.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { email, role } from './fields.js';

const invitation = Joi.object({
  id: uuid.required(),
  role: role.required(),
  email: Joi.string()
    .allow(null)
    .required()
    .description('The email address that can accept the invitation; null: anyone with the link.'),
  createdAt: moment.required(),
  createdBy: Joi.string().required(),
  expiresAt: moment.required(),
});

function show({ _id, role, email, createdAt, createdBy, expiresAt }: Invitation) {
  return {
    id: _id,
    role,
    email: email ?? null,
    createdAt: createdAt.toISOString(),
    createdBy,
    expiresAt: expiresAt.toISOString(),
  };
}

interface ProjectRefs {
  Params: { projectId: string };
}

/** GET /api/v2/projects/{projectId}/invitations/ */
export function invitationsRoute({ people, publicUrl }: RouteDeps) {
  return apiRoute<ProjectRefs>({
    method: 'GET',
    query: wholeListQuery,
    path: '/projects/{projectId}/invitations/',
    access: inProject('members.edit'),
    summary: 'List pending invitations',
    tag: 'Members',
    params: projectParams,
    answers: { 200: { description: 'Pending invitations, newest first.', schema: listOf(invitation) } },
    async handler(request) {
      const page = wholeList(await people.invitations.of(request.params.projectId));
      return listAnswer(request, publicUrl, page, show);
    },
  });
}

/** POST /api/v2/projects/{projectId}/invitations/ */
export function inviteRoute({ people }: RouteDeps) {
  return apiRoute<ProjectRefs & { Payload: { role: Role; email?: string } }>({
    method: 'POST',
    path: '/projects/{projectId}/invitations/',
    access: inProject('members.edit'),
    summary: 'Create an invitation',
    description:
      'Returns a link that one person can use within seven days. The link is shown only once, and no email is sent.',
    tag: 'Members',
    params: projectParams,
    body: Joi.object({ role: role.required(), email }),
    bodyExample: { role: 'editor', email: 'grace@example.com' },
    idempotent: true,
    answers: {
      201: {
        description: 'The invitation and its link.',
        schema: invitation.keys({ url: Joi.string().uri().required() }),
      },
    },
    async handler(request, h) {
      const { params, payload } = request;
      const key = idempotencyKeyOf(request);
      const { invitation, url } = await people.invitations.create(callerOf(request), params.projectId, payload, key);
      return h.response({ ...show(invitation), url }).code(201);
    },
  });
}

/** DELETE /api/v2/projects/{projectId}/invitations/{invitationId}/ */
export function revokeInvitationRoute({ people }: RouteDeps) {
  return apiRoute<{ Params: { projectId: string; invitationId: string } }>({
    method: 'DELETE',
    path: '/projects/{projectId}/invitations/{invitationId}/',
    access: inProject('members.edit'),
    summary: 'Revoke an invitation',
    tag: 'Members',
    params: projectParams.keys({ invitationId: uuid.required() }),
    answers: { 204: { description: 'The invitation is revoked.' } },
    async handler(request, h) {
      const { projectId, invitationId } = request.params;
      await people.invitations.revoke(callerOf(request), projectId, invitationId);
      return h.response().code(204);
    },
  });
}
