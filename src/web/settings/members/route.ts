import type { Request, ServerRoute } from '@hapi/hapi';
import Joi from 'joi';
import { NotFoundError } from '#src/domain/errors.js';
import { ROLES, type Role } from '#src/domain/people/rights.js';
import { RESOURCE_NOT_FOUND } from '#src/services/access/access-control.js';
import type { SignedInPage } from '#src/web/layout/page-context.js';
import { ConfirmLeave, ConfirmRemoveMember } from './confirm-change.js';
import { MembersPage, type MembersPageProps } from './page.js';
import { callerOf, inProject, principalOf } from '#src/server/http/route-access.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { checked } from '#src/server/forms/checked.js';
import { formPages } from '#src/server/forms/form-pages.js';
import { formRoute } from '#src/server/forms/form-route.js';
import { pageRoute } from '#src/server/pages/page-route.js';
import { openedProject, type ProjectParams } from '#src/server/pages/opened-project.js';
import { SETTINGS } from '#src/web/settings/redirect.js';

interface MemberParams {
  Params: { projectId: string; userId: string };
}

const roleForm = Joi.object<{ role: Role }>({
  role: Joi.string()
    .valid(...ROLES)
    .required(),
});

/** The page of members, with what was wrong with a form on it. */
export async function membersPage(
  deps: Pick<RouteDeps, 'definitions' | 'people'>,
  request: Pick<Request, 'app'>,
  page: SignedInPage,
  wrong: Pick<MembersPageProps, 'problem' | 'invited'> = {},
) {
  const project = await openedProject(deps, request);
  const [members, invitations] = await Promise.all([
    deps.people.members.of(project.id),
    project.may('members.edit') ? deps.people.invitations.of(project.id) : undefined,
  ]);
  return MembersPage({ page, project, members, invitations, ...wrong });
}

/** The tab Members: who is in it, roles, removal. */
export function memberRoutes(deps: RouteDeps): ServerRoute[] {
  const { members } = deps.people;

  async function memberOf({ projectId, userId }: MemberParams['Params']) {
    const member = (await members.of(projectId)).find((one) => one.userId === userId);
    if (!member) throw new NotFoundError(RESOURCE_NOT_FOUND);
    return member;
  }

  return [
    pageRoute<ProjectParams>({
      path: `${SETTINGS}/members`,
      access: inProject('members.read'),
      show: (request, page) => membersPage(deps, request, page),
    }),

    formRoute<MemberParams>({
      path: `${SETTINGS}/members/{userId}/role`,
      access: inProject('members.edit'),
      async submit(request, form) {
        const { projectId, userId } = request.params;
        const { email } = await memberOf(request.params);
        const { role } = checked(roleForm, { role: form.raw('role') });
        await members.changeRole(callerOf(request), projectId, userId, role);
        return { goTo: `/projects/${projectId}/settings/members`, notice: `${email} is now ${role}.` };
      },
      rerender: (request, _form, problem, page) => membersPage(deps, request, page, { problem }),
    }),

    ...formPages<MemberParams>({
      path: `${SETTINGS}/members/{userId}/remove`,
      access: inProject('members.edit'),
      async show(request, page, { problem }) {
        const project = await openedProject(deps, request);
        const member = await memberOf(request.params);
        const tokenCount = await members.countTokensOf(project.id, member);
        return ConfirmRemoveMember({ page, project, ...member, tokenCount, problem });
      },
      async submit(request, form, { viewer }) {
        const { projectId, userId } = request.params;
        const { email } = await memberOf(request.params);
        await members.remove(callerOf(request), projectId, userId, { revokeTokens: form.isChecked('revokeTokens') });
        const isClosedNow = email === viewer.email && !viewer.isAdmin;
        return {
          goTo: isClosedNow ? '/' : `/projects/${projectId}/settings/members`,
          notice: isClosedNow ? 'You have left the project.' : `${email} is no longer a member.`,
        };
      },
    }),

    ...formPages<ProjectParams>({
      path: `${SETTINGS}/leave`,
      access: inProject('membership.leave'),
      async show(request, page, { problem }) {
        const project = await openedProject(deps, request);
        const member = await memberOf({ projectId: project.id, userId: principalOf(request).userId ?? '' });
        const tokenCount = await members.countTokensOf(project.id, member);
        return ConfirmLeave({ page, project, tokenCount, problem });
      },
      async submit(request, form) {
        const userId = principalOf(request).userId ?? '';
        const revokeTokens = form.isChecked('revokeTokens');
        await members.remove(callerOf(request), request.params.projectId, userId, { revokeTokens });
        return { goTo: '/', notice: 'You have left the project.' };
      },
    }),
  ];
}
