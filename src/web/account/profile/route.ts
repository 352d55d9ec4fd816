import type { Request, ServerRoute } from '@hapi/hapi';
import Joi from 'joi';
import { personName } from '#src/domain/targets/definition-fields.js';
import { NotFoundError } from '#src/domain/errors.js';
import { RESOURCE_NOT_FOUND } from '#src/services/access/access-control.js';
import type { SignedInPage } from '#src/web/layout/page-context.js';
import { ProfilePage, type ProfilePageProps } from './page.js';
import { callerOf, principalOf } from '#src/server/http/route-access.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { formRoute } from '#src/server/forms/form-route.js';
import { readForm } from '#src/server/forms/read-form.js';
import { rawText } from '#src/server/forms/text-values.js';
import { pageRoute } from '#src/server/pages/page-route.js';
import { originOf, PASSWORD_RESPONSE_MS } from '#src/server/session/sign-in-cookies.js';
import { currentPassword, newPassword } from '#src/server/routes/api/people/fields.js';

const access = { right: 'account.edit' } as const;
const nameSchema = Joi.object<{ name: string }>({ name: personName });
const passwordSchema = Joi.object<{ currentPassword: string; newPassword: string }>({
  currentPassword: currentPassword.allow(''),
  newPassword: newPassword.messages({ 'string.empty': 'Enter the new password' }),
});

const PASSWORDS = { currentPassword: rawText, newPassword: rawText };

/** /profile: the viewer’s account, name and password. */
export function profileRoutes({ people: { account } }: RouteDeps): ServerRoute[] {
  async function shown(
    request: Pick<Request, 'app'>,
    page: SignedInPage,
    wrong: Pick<ProfilePageProps, 'nameForm' | 'passwordForm'> = {},
  ) {
    const user = await account.find(principalOf(request));
    if (!user) throw new NotFoundError(RESOURCE_NOT_FOUND);
    const { _id: id, email, name, isAdmin, createdAt, passwordHash } = user;
    const person = { id, email, name, isAdmin, createdAt, hasPassword: passwordHash !== undefined };
    return ProfilePage({ page, person, ...wrong });
  }

  return [
    pageRoute({ path: '/profile', access, show: (request, page) => shown(request, page) }),

    formRoute({
      path: '/profile/name',
      access,
      async submit(request, form) {
        const { name } = readForm(form, nameSchema, { name: rawText });
        await account.rename(callerOf(request), name);
        return { goTo: '/profile', notice: 'Name saved.' };
      },
      rerender: (request, form, problem, page) => shown(request, page, { nameForm: { values: form.values, problem } }),
    }),

    formRoute({
      path: '/profile/password',
      access,
      answerMs: PASSWORD_RESPONSE_MS,
      async submit(request, form) {
        const change = readForm(form, passwordSchema, PASSWORDS);
        await account.changePassword(callerOf(request), change, originOf(request));
        return { goTo: '/profile', notice: 'Password changed. Your other sessions are signed out.' };
      },
      rerender: (request, form, problem, page) =>
        shown(request, page, { passwordForm: { values: form.values, problem } }),
    }),
  ];
}
