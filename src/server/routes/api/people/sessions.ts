import Joi from 'joi';
import type { Session } from '#src/domain/people/people.js';
import { callerOf, principalOf } from '#src/server/http/route-access.js';
import { wholeList } from '#src/domain/page.js';
import { apiRoute } from '#src/server/api/api-route.js';
import { listAnswer } from '#src/server/api/paging.js';
import { listOf, moment, uuid, wholeListQuery } from '#src/server/api/shapes.js';
import type { RouteDeps } from '#src/server/route-deps.js';

const session = Joi.object({
  id: uuid.required(),
  current: Joi.boolean().required().description('Whether this is the session of the request.'),
  createdAt: moment.required(),
  lastSeenAt: moment.required(),
  expiresAt: moment.required(),
  address: Joi.string().required(),
  userAgent: Joi.string().allow('').required(),
});

function show({ id, createdAt, lastSeenAt, expiresAt, address, userAgent }: Session, currentId: string) {
  return {
    id,
    current: id === currentId,
    createdAt: createdAt.toISOString(),
    lastSeenAt: lastSeenAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    address,
    userAgent,
  };
}

/** GET /api/v2/me/sessions/ */
export function sessionsRoute({ people, publicUrl }: RouteDeps) {
  return apiRoute({
    method: 'GET',
    query: wholeListQuery,
    path: '/me/sessions/',
    access: { right: 'account.edit' },
    summary: 'List your sessions',
    tag: 'Account',
    answers: { 200: { description: 'Your sessions, most recently used first.', schema: listOf(session) } },
    async handler(request) {
      const principal = principalOf(request);
      const page = wholeList(await people.account.sessions(principal));
      return listAnswer(request, publicUrl, page, (one) => show(one, principal.credentialId));
    },
  });
}

/** DELETE /api/v2/me/sessions/{sessionId}/ */
export function endSessionRoute({ people }: RouteDeps) {
  return apiRoute<{ Params: { sessionId: string } }>({
    method: 'DELETE',
    path: '/me/sessions/{sessionId}/',
    access: { right: 'account.edit' },
    summary: 'End a session',
    tag: 'Account',
    params: Joi.object({ sessionId: uuid.required() }),
    answers: { 204: { description: 'The session has ended.' } },
    async handler(request, h) {
      await people.account.endSession(callerOf(request), request.params.sessionId);
      return h.response().code(204);
    },
  });
}
