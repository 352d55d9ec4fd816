import Joi from 'joi';
import { callerOf, principalOf } from '../../../access.js';
import { apiRoute } from '../../../api/api-route.js';
import { wholeList } from '../../../api/page.js';
import { listOf, moment, uuid } from '../../../api/shapes.js';
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

/** GET /api/v2/me/sessions/ */
export function sessionsRoute({ people }: RouteDeps) {
  return apiRoute({
    method: 'GET',
    path: '/me/sessions/',
    access: { right: 'account.edit' },
    summary: 'My sessions',
    tag: 'Account',
    answers: { 200: { description: 'The latest used first.', schema: listOf(session) } },
    async handler(request) {
      const principal = principalOf(request);
      const sessions = await people.account.sessions(principal);
      return wholeList(
        sessions.map(({ id, createdAt, lastSeenAt, expiresAt, address, userAgent }) => ({
          id,
          current: id === principal.credentialId,
          createdAt,
          lastSeenAt,
          expiresAt,
          address,
          userAgent,
        })),
      );
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
