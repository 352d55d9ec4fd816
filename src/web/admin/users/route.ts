import type { ServerRoute } from '@hapi/hapi';
import Joi from 'joi';
import { personName } from '#src/domain/targets/definition-fields.js';
import { ConflictError, InvalidInputError } from '#src/domain/errors.js';
import type { PageRequest } from '#src/domain/page.js';
import type { NewUser } from '#src/services/people/user-service.js';
import { ConfirmUserChange, USER_CHANGES, type UserChange } from './confirm-change.js';
import { NewUserPage } from './new-page.js';
import { UsersPage } from './page.js';
import { callerOf } from '#src/server/http/route-access.js';
import { pageRequestOf } from '#src/server/api/paging.js';
import { paging } from '#src/server/api/shapes.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { checked } from '#src/server/pages/checked.js';
import { confirmRoutes } from '#src/server/pages/confirm-routes.js';
import { formRoute } from '#src/server/pages/form-route.js';
import { pageRoute } from '#src/server/pages/page-route.js';
import { PASSWORD_ANSWER_MS } from '#src/server/session/sign-in-cookies.js';
import { email, newPassword } from '#src/server/routes/api/people/fields.js';

const LIST = '/admin/users';
const NEW = '/admin/users/new';

const userForm = Joi.object<NewUser>({
  email: email.required(),
  name: personName,
  password: newPassword.allow('').required(),
  isAdmin: Joi.boolean(),
});

/** Everybody with an account: listed, made, made admin, disabled. */
export function userRoutes({ people: { users } }: RouteDeps): ServerRoute[] {
  return [
    pageRoute<{ Query: PageRequest }>({
      path: LIST,
      access: { right: 'users.read' },
      query: paging,
      show: async ({ query }, page) => UsersPage({ page, users: await users.page(pageRequestOf(query)) }),
    }),

    pageRoute({ path: NEW, access: { right: 'users.edit' }, show: (_request, page) => NewUserPage({ page }) }),

    formRoute({
      path: NEW,
      access: { right: 'users.edit' },
      answerMs: PASSWORD_ANSWER_MS,
      async take(request, form) {
        const input = checked(userForm, {
          email: form.raw('email'),
          name: form.raw('name'),
          password: form.raw('password'),
          isAdmin: form.isChecked('isAdmin'),
        });
        const { email } = await users.create(callerOf(request), input).catch(atItsField);
        return { goTo: LIST, notice: `The account of ${email} is created. Share the password with the person.` };
      },
      again: (_request, form, problem, page) =>
        NewUserPage({
          page,
          typed: { email: form.raw('email'), name: form.raw('name'), isAdmin: form.isChecked('isAdmin') },
          problem,
        }),
    }),

    ...(Object.keys(USER_CHANGES) as UserChange[]).flatMap((name) =>
      confirmRoutes<{ Params: { userId: string } }>({
        path: `/admin/users/{userId}/${name}`,
        access: { right: 'users.edit' },
        async ask({ params }, page, problem) {
          const { _id: id, email } = await users.get(params.userId);
          return ConfirmUserChange({ page, change: name, id, email, problem });
        },
        async take(request) {
          const { change, done } = USER_CHANGES[name];
          const { email } = await users.change(callerOf(request), request.params.userId, change);
          return { goTo: LIST, notice: done(email) };
        },
      }),
    ),
  ];
}

/** An email that is taken is said where it is typed. */
function atItsField(error: unknown): never {
  if (!(error instanceof ConflictError)) throw error;
  throw new InvalidInputError(error.message, { fields: [{ field: 'email', message: error.message }] });
}
