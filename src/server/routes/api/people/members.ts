import Joi from 'joi';
import type { Role } from '#src/domain/people/rights.js';
import type { Member, RemovalOptions } from '#src/services/people/member-service.js';
import { callerOf, inProject, principalOf } from '#src/server/http/route-access.js';
import { wholeList } from '#src/domain/page.js';
import { apiRoute } from '#src/server/api/api-route.js';
import { listAnswer } from '#src/server/api/paging.js';
import { apiError, listOf, moment, projectParams, uuid, wholeListQuery } from '#src/server/api/shapes.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { role } from './fields.js';

const member = Joi.object({
  userId: uuid.required(),
  email: Joi.string().required(),
  name: Joi.string().allow('').required(),
  role: role.required(),
  createdAt: moment.required(),
  disabled: Joi.boolean().required(),
});

function show({ createdAt, ...member }: Member) {
  return { ...member, createdAt: createdAt.toISOString() };
}

const memberParams = projectParams.keys({ userId: uuid.required() });

const removalQuery = Joi.object({
  revokeTokens: Joi.boolean()
    .default(true)
    .description('Whether to revoke the project API tokens that the member created.'),
});

const LAST_OWNER = { description: '`last_owner`: a project needs at least one owner.', schema: apiError };

interface MemberRefs {
  Params: { projectId: string; userId: string };
}

/** GET /api/v2/projects/{projectId}/members/ */
export function membersRoute({ people, publicUrl }: RouteDeps) {
  return apiRoute<{ Params: { projectId: string } }>({
    method: 'GET',
    query: wholeListQuery,
    path: '/projects/{projectId}/members/',
    access: inProject('members.read'),
    summary: 'List the members of a project',
    tag: 'Members',
    params: projectParams,
    answers: { 200: { description: 'Members, in the order they joined.', schema: listOf(member) } },
    async handler(request) {
      const page = wholeList(await people.members.of(request.params.projectId));
      return listAnswer(request, publicUrl, page, show);
    },
  });
}

/** PATCH /api/v2/projects/{projectId}/members/{userId}/ */
export function changeRoleRoute({ people }: RouteDeps) {
  return apiRoute<MemberRefs & { Payload: { role: Role } }>({
    method: 'PATCH',
    path: '/projects/{projectId}/members/{userId}/',
    access: inProject('members.edit'),
    summary: 'Update a member’s role',
    tag: 'Members',
    params: memberParams,
    body: Joi.object({ role: role.required() }),
    bodyExample: { role: 'viewer' },
    answers: { 200: { description: 'The updated member.', schema: member }, 409: LAST_OWNER },
    async handler(request) {
      const { projectId, userId } = request.params;
      return show(await people.members.changeRole(callerOf(request), projectId, userId, request.payload.role));
    },
  });
}

/** DELETE /api/v2/projects/{projectId}/members/{userId}/ */
export function removeMemberRoute({ people }: RouteDeps) {
  return apiRoute<MemberRefs & { Query: RemovalOptions }>({
    method: 'DELETE',
    path: '/projects/{projectId}/members/{userId}/',
    access: inProject('members.edit'),
    summary: 'Remove a member',
    description: 'Pending invitations created by the member are revoked.',
    tag: 'Members',
    params: memberParams,
    query: removalQuery,
    answers: { 204: { description: 'Member removed.' }, 409: LAST_OWNER },
    async handler(request, h) {
      const { projectId, userId } = request.params;
      await people.members.remove(callerOf(request), projectId, userId, request.query);
      return h.response().code(204);
    },
  });
}

/** DELETE /api/v2/projects/{projectId}/members/me/ */
export function leaveProjectRoute({ people }: RouteDeps) {
  return apiRoute<{ Params: { projectId: string }; Query: RemovalOptions }>({
    method: 'DELETE',
    path: '/projects/{projectId}/members/me/',
    access: inProject('membership.leave'),
    summary: 'Leave a project',
    description: 'Pending invitations you created are revoked. The last owner cannot leave.',
    tag: 'Members',
    params: projectParams,
    query: removalQuery,
    answers: { 204: { description: 'You left the project.' }, 409: LAST_OWNER },
    async handler(request, h) {
      const { userId = '' } = principalOf(request);
      await people.members.remove(callerOf(request), request.params.projectId, userId, request.query);
      return h.response().code(204);
    },
  });
}
