import Joi from 'joi';
import { callerOf, principalOf } from '../../../access.js';
import { apiRoute } from '../../../api/api-route.js';
import type { RouteDeps } from '../../../context.js';
import { originOf, PASSWORD_ANSWER_MS } from '../../../sign-in-cookies.js';
import { me, showMe } from '../me.js';
import { givenPassword, newPassword, personName } from './fields.js';

/** PATCH /api/v2/me/ */
export function renameMeRoute({ people }: RouteDeps) {
  return apiRoute<{ Payload: { name: string } }>({
    method: 'PATCH',
    path: '/me/',
    access: { right: 'account.edit' },
    summary: 'Change my name',
    tag: 'Account',
    body: Joi.object({ name: personName.required() }),
    bodyExample: { name: 'Ada' },
    answers: { 200: { description: 'As it is now.', schema: me } },
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
    answerMs: PASSWORD_ANSWER_MS,
    summary: 'Change my password',
    description: 'All other sessions of yours end. API tokens stay: revoke them one by one.',
    tag: 'Account',
    body: Joi.object({ currentPassword: givenPassword.allow('').required(), newPassword: newPassword.required() }),
    bodyExample: { currentPassword: 'a long password of hers', newPassword: 'another long password' },
    answers: { 204: { description: 'It is changed.' } },
    async handler(request, h) {
      await people.account.changePassword(callerOf(request), request.payload, originOf(request));
      return h.response().code(204);
    },
  });
}
