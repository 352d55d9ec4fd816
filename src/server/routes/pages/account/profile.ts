import type { Request, ServerRoute } from '@hapi/hapi';
import Joi from 'joi';
import { NotFoundError } from '../../../../domain/errors.js';
import { NOTHING_HERE } from '../../../../services/access.js';
import type { PageContext, Viewer } from '../../../../web/layout/viewer.js';
import { ProfilePage, type ProfilePageProps } from '../../../../web/pages/account/profile-page.js';
import { callerOf, principalOf } from '../../../access.js';
import type { RouteDeps } from '../../../context.js';
import { checked } from '../../../pages/checked.js';
import { formRoute } from '../../../pages/form-route.js';
import { pageRoute } from '../../../pages/page-route.js';
import { originOf, PASSWORD_ANSWER_MS } from '../../../sign-in-cookies.js';
import { givenPassword, newPassword, personName } from '../../api/people/fields.js';

const access = { right: 'account.edit' } as const;
const nameSchema = Joi.object<{ name: string }>({ name: personName });
const passwordSchema = Joi.object<{ currentPassword: string; newPassword: string }>({
  currentPassword: givenPassword.allow(''),
  newPassword: newPassword.messages({ 'string.empty': 'Type the new password' }),
});

/** /profile: who the viewer is, his name, his password. */
export function profileRoutes({ people: { account } }: RouteDeps): ServerRoute[] {
  async function shown(
    request: Pick<Request, 'app'>,
    page: PageContext & { viewer: Viewer },
    wrong: Pick<ProfilePageProps, 'name' | 'nameProblem' | 'passwordProblem'> = {},
  ) {
    const user = await account.find(principalOf(request));
    if (!user) throw new NotFoundError(NOTHING_HERE);
    const { _id: id, email, name, isAdmin, createdAt, passwordHash } = user;
    const person = { id, email, name, isAdmin, createdAt, hasPassword: passwordHash !== undefined };
    return ProfilePage({ page, person, ...wrong });
  }

  return [
    pageRoute({ path: '/profile', access, show: (request, page) => shown(request, page) }),

    formRoute({
      path: '/profile/name',
      access,
      async take(request, form) {
        const { name } = checked(nameSchema, { name: form.raw('name') });
        await account.rename(callerOf(request), name);
        return { goTo: '/profile', notice: 'Your name is saved.' };
      },
      again: (request, form, problem, page) => shown(request, page, { name: form.raw('name'), nameProblem: problem }),
    }),

    formRoute({
      path: '/profile/password',
      access,
      answerMs: PASSWORD_ANSWER_MS,
      async take(request, form) {
        const change = checked(passwordSchema, {
          currentPassword: form.raw('currentPassword'),
          newPassword: form.raw('newPassword'),
        });
        await account.changePassword(callerOf(request), change, originOf(request));
        return { goTo: '/profile', notice: 'Your password is changed. Your other sessions have ended.' };
      },
      again: (request, _form, problem, page) => shown(request, page, { passwordProblem: problem }),
    }),
  ];
}
