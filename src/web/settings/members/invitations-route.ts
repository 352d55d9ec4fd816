import type { ServerRoute } from '@hapi/hapi';
import Joi from 'joi';
import { NotFoundError } from '#src/domain/errors.js';
import { ROLES, type Role } from '#src/domain/people/rights.js';
import { RESOURCE_NOT_FOUND } from '#src/services/access/access-control.js';
import { ConfirmRevokeInvitation } from './confirm-change.js';
import { InvitationMade } from './invitation-created.js';
import { callerOf, inProject } from '#src/server/http/route-access.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { checked } from '#src/server/forms/checked.js';
import { formPages } from '#src/server/forms/form-pages.js';
import { formRoute } from '#src/server/forms/form-route.js';
import { email } from '#src/server/routes/api/people/fields.js';
import { membersPage } from './route.js';
import { openedProject, type ProjectParams } from '#src/server/pages/opened-project.js';
import { SETTINGS } from '#src/web/settings/redirect.js';

interface InvitationParams {
  Params: { projectId: string; invitationId: string };
}

const invitationForm = Joi.object<{ role: Role; email?: string }>({
  role: Joi.string()
    .valid(...ROLES)
    .required(),
  email,
});

/** Invitations to a project: made, with the link shown once, and revoked. */
export function invitationRoutes(deps: RouteDeps): ServerRoute[] {
  const { invitations } = deps.people;
  return [
    formRoute<ProjectParams>({
      path: `${SETTINGS}/invitations`,
      access: inProject('members.edit'),
      async submit(request, form, page) {
        const project = await openedProject(deps, request);
        const input = checked(invitationForm, { role: form.raw('role'), email: form.text('email') });
        return InvitationMade({ page, project, ...(await invitations.create(callerOf(request), project.id, input)) });
      },
      rerender: (request, form, problem, page) =>
        membersPage(deps, request, page, { invited: { values: form.values, problem } }),
    }),

    ...formPages<InvitationParams>({
      path: `${SETTINGS}/invitations/{invitationId}/revoke`,
      access: inProject('members.edit'),
      async show(request, page, { problem }) {
        const project = await openedProject(deps, request);
        const open = await invitations.of(project.id);
        const invitation = open.find(({ _id }) => _id === request.params.invitationId);
        if (!invitation) throw new NotFoundError(RESOURCE_NOT_FOUND);
        return ConfirmRevokeInvitation({ page, project, id: invitation._id, email: invitation.email, problem });
      },
      async submit(request) {
        const { projectId, invitationId } = request.params;
        await invitations.revoke(callerOf(request), projectId, invitationId);
        return { goTo: `/projects/${projectId}/settings/members`, notice: 'Invitation revoked.' };
      },
    }),
  ];
}
