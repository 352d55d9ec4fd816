import type { ServerRoute } from '@hapi/hapi';
import Joi from 'joi';
import { personName } from '#src/domain/targets/definition-fields.js';
import type { PageRequest } from '#src/domain/page.js';
import type { NewUser } from '#src/services/people/user-service.js';
import { ConfirmUserChange, USER_CHANGES, type UserChange } from './confirm-change.js';
import { NewUserPage } from './new-page.js';
import { UsersPage } from './page.js';
import { callerOf } from '#src/server/http/route-access.js';
import { paging } from '#src/server/api/shapes.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { formPages } from '#src/server/forms/form-pages.js';
import { readForm } from '#src/server/forms/read-form.js';
import { checkText, rawText } from '#src/server/forms/text-values.js';
import { pageRoute } from '#src/server/pages/page-route.js';
import { PASSWORD_RESPONSE_MS } from '#src/server/session/sign-in-cookies.js';
import { email, newPassword } from '#src/server/routes/api/people/fields.js';

const LIST = '/admin/users';
const NEW = '/admin/users/new';

const userForm = Joi.object<NewUser>({
  email: email.required(),
  name: personName,
  password: newPassword.allow('').required(),
  isAdmin: Joi.boolean().default(false),
});
const FIELDS = { email: rawText, name: rawText, password: rawText, isAdmin: checkText };

/** Accounts: listed, created, made admin, disabled. */
export function userRoutes({ people: { users } }: RouteDeps): ServerRoute[] {
  return [
    pageRoute<{ Query: PageRequest }>({
      path: LIST,
      access: { right: 'users.read' },
      query: paging,
      show: async ({ query }, page) => UsersPage({ page, users: await users.page(query) }),
    }),

    ...formPages({
      path: NEW,
      access: { right: 'users.edit' },
      answerMs: PASSWORD_RESPONSE_MS,
      show: (_request, page, form) => NewUserPage({ page, form }),
      async submit(request, form) {
        const { email } = await users.create(callerOf(request), readForm(form, userForm, FIELDS));
        return { goTo: LIST, notice: `The account of ${email} is created. Share the password with the person.` };
      },
    }),

    ...(Object.keys(USER_CHANGES) as UserChange[]).flatMap((name) =>
      formPages<{ Params: { userId: string } }>({
        path: `/admin/users/{userId}/${name}`,
        access: { right: 'users.edit' },
        async show({ params }, page, { problem }) {
          const { _id: id, email } = await users.get(params.userId);
          return ConfirmUserChange({ page, change: name, id, email, problem });
        },
        async submit(request) {
          const { change, done } = USER_CHANGES[name];
          const { email } = await users.change(callerOf(request), request.params.userId, change);
          return { goTo: LIST, notice: done(email) };
        },
      }),
    ),
  ];
}
