import Joi from 'joi';
import type { Session } from '../../../../domain/people.js';
import { callerOf, principalOf } from '../../../access.js';
import { wholeList } from '../../../../domain/page.js';
import { apiRoute } from '../../../api/api-route.js';
import { listAnswer } from '../../../api/paging.js';
import { listOf, moment, uuid, wholeListQuery } from '../../../api/shapes.js';
import type { RouteDeps } from '../../../context.js';

const session = Joi.object({
  id: uuid.required(),
  current: Joi.boolean().required().description('Whether it is the one that asks.'),
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
    summary: 'My sessions',
    tag: 'Account',
    answers: { 200: { description: 'The latest used first.', schema: listOf(session) } },
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
    summary: 'End one of my sessions',
    tag: 'Account',
    params: Joi.object({ sessionId: uuid.required() }),
    answers: { 204: { description: 'It has ended.' } },
    async handler(request, h) {
      await people.account.endSession(callerOf(request), request.params.sessionId);
      return h.response().code(204);
    },
  });
}
