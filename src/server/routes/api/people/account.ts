import Joi from 'joi';
import { personName } from '#src/domain/targets/definition-fields.js';
import { callerOf, principalOf } from '#src/server/http/route-access.js';
import { apiRoute } from '#src/server/api/api-route.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { originOf, PASSWORD_RESPONSE_MS } from '#src/server/session/sign-in-cookies.js';
import { me, showMe } from '#src/server/routes/api/me.js';
import { currentPassword, newPassword } from './fields.js';

/** PATCH /api/v2/me/ */
export function renameMeRoute({ people }: RouteDeps) {
  return apiRoute<{ Payload: { name: string } }>({
    method: 'PATCH',
    path: '/me/',
    access: { right: 'account.edit' },
    summary: 'Update your name',
    tag: 'Account',
    body: Joi.object({ name: personName.required() }),
    bodyExample: { name: 'Ada' },
    answers: { 200: { description: 'The updated account.', schema: me } },
    async handler(request) {
      const user = await people.account.rename(callerOf(request), request.payload.name);
      return showMe(principalOf(request), user, request.app.csrfToken);
    },
  });
}

/** PUT /api/v2/me/password/ */
export function changePasswordRoute({ people }: RouteDeps) {
  return apiRoute<{ Payload: { currentPassword: string; newPassword: string } }>({
    method: 'PUT',
    path: '/me/password/',
    access: { right: 'account.edit' },
    answerMs: PASSWORD_RESPONSE_MS,
    summary: 'Change your password',
    description: 'Ends all your other sessions. API tokens stay valid: revoke them separately.',
    tag: 'Account',
    body: Joi.object({ currentPassword: currentPassword.allow('').required(), newPassword: newPassword.required() }),
    bodyExample: { currentPassword: 'a long password of hers', newPassword: 'another long password' },
    answers: { 204: { description: 'The password is changed.' } },
    async handler(request, h) {
      await people.account.changePassword(callerOf(request), request.payload, originOf(request));
      return h.response().code(204);
    },
  });
}
