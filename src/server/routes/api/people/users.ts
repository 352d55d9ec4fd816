import Joi from 'joi';
import type { PageRequest } from '../../../../domain/page.js';
import type { User } from '../../../../domain/people.js';
import { callerOf } from '../../../access.js';
import { apiRoute } from '../../../api/api-route.js';
import { PASSWORD_ANSWER_MS } from '../../../sign-in-cookies.js';
import { idempotencyKeyOf } from '../../../api/idempotency.js';
import { listAnswer, pageRequestOf } from '../../../api/paging.js';
import { apiError, listOf, moment, paging, uuid } from '../../../api/shapes.js';
import type { RouteDeps } from '../../../context.js';
import { email, newPassword, personName } from './fields.js';

const user = Joi.object({
  id: uuid.required(),
  email: Joi.string().required(),
  name: Joi.string().allow('').required(),
  isAdmin: Joi.boolean().required(),
  disabled: Joi.boolean().required(),
  createdAt: moment.required(),
  lastSignInAt: moment.allow(null).required(),
});

function show({ _id, email, name, isAdmin, disabledAt, createdAt, lastSignInAt }: User) {
  return {
    id: _id,
    email,
    name,
    isAdmin,
    disabled: disabledAt !== undefined,
    createdAt: createdAt.toISOString(),
    lastSignInAt: lastSignInAt?.toISOString() ?? null,
  };
}

/** GET /api/v2/users/ */
export function usersRoute({ people, publicUrl }: RouteDeps) {
  return apiRoute<{ Query: PageRequest }>({
    method: 'GET',
    path: '/users/',
    access: { right: 'users.read' },
    summary: 'All people',
    tag: 'Users',
    query: Joi.object(paging),
    answers: { 200: { description: 'By e-mail.', schema: listOf(user) } },
    async handler(request) {
      return listAnswer(request, publicUrl, await people.users.page(pageRequestOf(request.query)), show);
    },
  });
}

/** POST /api/v2/users/ */
export function addUserRoute({ people }: RouteDeps) {
  return apiRoute<{ Payload: { email: string; name: string; password: string; isAdmin: boolean } }>({
    method: 'POST',
    path: '/users/',
    access: { right: 'users.edit' },
    answerMs: PASSWORD_ANSWER_MS,
    summary: 'Make an account',
    description: 'With a password for its first sign-in, which the person should change.',
    tag: 'Users',
    body: Joi.object({
      email: email.required(),
      name: personName.default(''),
      password: newPassword.required(),
      isAdmin: Joi.boolean().default(false),
    }),
    bodyExample: { email: 'grace@example.com', name: 'Grace', password: 'a password to be changed' },
    idempotent: true,
    answers: {
      201: { description: 'The account.', schema: user },
      409: { description: '`email_taken`: somebody has this e-mail.', schema: apiError },
    },
    async handler(request, h) {
      const made = await people.users.create(callerOf(request), request.payload, idempotencyKeyOf(request));
      return h.response(show(made)).code(201);
    },
  });
}

/** PATCH /api/v2/users/{userId}/ */
export function changeUserRoute({ people }: RouteDeps) {
  return apiRoute<{ Params: { userId: string }; Payload: { isAdmin?: boolean; disabled?: boolean } }>({
    method: 'PATCH',
    path: '/users/{userId}/',
    access: { right: 'users.edit' },
    summary: 'Disable an account, or make it an admin’s',
    description: 'Nothing opens for a disabled person: neither sessions nor personal tokens.',
    tag: 'Users',
    params: Joi.object({ userId: uuid.required() }),
    body: Joi.object({ isAdmin: Joi.boolean(), disabled: Joi.boolean() }).min(1),
    bodyExample: { disabled: true },
    answers: {
      200: { description: 'As it is now.', schema: user },
      409: { description: '`last_admin`: the instance needs an admin.', schema: apiError },
    },
    handler: async (request) =>
      show(await people.users.change(callerOf(request), request.params.userId, request.payload)),
  });
}
