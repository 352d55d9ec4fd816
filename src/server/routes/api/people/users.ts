import Joi from 'joi';
import { personName } from '#src/domain/targets/definition-fields.js';
import type { PageRequest } from '#src/domain/page.js';
import type { User } from '#src/domain/people/people.js';
import { callerOf } from '#src/server/http/route-access.js';
import { apiRoute } from '#src/server/api/api-route.js';
import { PASSWORD_RESPONSE_MS } from '#src/server/session/sign-in-cookies.js';
import { idempotencyKeyOf } from '#src/server/api/idempotency.js';
import { listAnswer, pageRequestOf } from '#src/server/api/paging.js';
import { apiError, listOf, moment, paging, uuid } from '#src/server/api/shapes.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { email, newPassword } from './fields.js';

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
    summary: 'List users',
    tag: 'Users',
    query: Joi.object(paging),
    answers: { 200: { description: 'All users, sorted by email address.', schema: listOf(user) } },
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
    answerMs: PASSWORD_RESPONSE_MS,
    summary: 'Create a user',
    description: 'The password is for the first sign-in; the person should change it afterwards.',
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
      201: { description: 'The new user.', schema: user },
      409: { description: '`email_taken`: an account with this email address already exists.', schema: apiError },
    },
    async handler(request, h) {
      const created = await people.users.create(callerOf(request), request.payload, idempotencyKeyOf(request));
      return h.response(show(created)).code(201);
    },
  });
}

/** PATCH /api/v2/users/{userId}/ */
export function changeUserRoute({ people }: RouteDeps) {
  return apiRoute<{ Params: { userId: string }; Payload: { isAdmin?: boolean; disabled?: boolean } }>({
    method: 'PATCH',
    path: '/users/{userId}/',
    access: { right: 'users.edit' },
    summary: 'Update a user',
    description:
      'Disable or enable the account, or grant or remove the admin role. The sessions and personal API tokens of a disabled user stop working.',
    tag: 'Users',
    params: Joi.object({ userId: uuid.required() }),
    body: Joi.object({ isAdmin: Joi.boolean(), disabled: Joi.boolean() }).min(1),
    bodyExample: { disabled: true },
    answers: {
      200: { description: 'The updated user.', schema: user },
      409: { description: '`last_admin`: the instance needs at least one admin.', schema: apiError },
    },
    handler: async (request) =>
      show(await people.users.change(callerOf(request), request.params.userId, request.payload)),
  });
}
