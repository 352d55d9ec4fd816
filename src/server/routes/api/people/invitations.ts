import Joi from 'joi';
import type { Invitation } from '../../../../domain/people.js';
import type { Role } from '../../../../domain/rights.js';
import { callerOf, inProject } from '../../../access.js';
import { wholeList } from '../../../../domain/page.js';
import { apiRoute } from '../../../api/api-route.js';
import { idempotencyKeyOf } from '../../../api/idempotency.js';
import { listAnswer } from '../../../api/paging.js';
import { listOf, moment, projectParams, uuid, wholeListQuery } from '../../../api/shapes.js';
import type { RouteDeps } from '../../../context.js';
import { email, role } from './fields.js';

const invitation = Joi.object({
  id: uuid.required(),
  role: role.required(),
  email: Joi.string().allow(null).required().description('The person who can accept it; null: whoever has the link.'),
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
    summary: 'Open invitations',
    tag: 'Members',
    params: projectParams,
    answers: { 200: { description: 'Those that can be accepted, newest first.', schema: listOf(invitation) } },
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
    summary: 'Invite somebody',
    description: 'Answers a link for one person, good for seven days. It is shown once; no mail is sent.',
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
    answers: { 204: { description: 'Its link opens nothing any more.' } },
    async handler(request, h) {
      const { projectId, invitationId } = request.params;
      await people.invitations.revoke(callerOf(request), projectId, invitationId);
      return h.response().code(204);
    },
  });
}
