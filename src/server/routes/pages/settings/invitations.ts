import type { ServerRoute } from '@hapi/hapi';
import Joi from 'joi';
import { NotFoundError } from '../../../../domain/errors.js';
import { ROLES, type Role } from '../../../../domain/rights.js';
import { NOTHING_HERE } from '../../../../services/access.js';
import { ConfirmRevokeInvitation } from '../../../../web/pages/settings/confirm-members.js';
import { InvitationMade } from '../../../../web/pages/settings/invitation-made.js';
import { callerOf, inProject } from '../../../access.js';
import type { RouteDeps } from '../../../context.js';
import { checked } from '../../../pages/checked.js';
import { confirmRoutes } from '../../../pages/confirm-routes.js';
import { formRoute } from '../../../pages/form-route.js';
import { email } from '../../api/people/fields.js';
import { membersPage } from './members.js';
import { openedProject, type ProjectParams } from '../../../pages/opened-project.js';
import { SETTINGS } from './settings.js';

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
      async take(request, form, page) {
        const project = await openedProject(deps, request);
        const wanted = checked(invitationForm, { role: form.raw('role'), email: form.text('email') });
        return InvitationMade({ page, project, ...(await invitations.create(callerOf(request), project.id, wanted)) });
      },
      again: (request, form, problem, page) =>
        membersPage(deps, request, page, { invited: { email: form.raw('email'), role: form.raw('role'), problem } }),
    }),

    ...confirmRoutes<InvitationParams>({
      path: `${SETTINGS}/invitations/{invitationId}/revoke`,
      access: inProject('members.edit'),
      async ask(request, page, problem) {
        const project = await openedProject(deps, request);
        const open = await invitations.of(project.id);
        const invitation = open.find(({ _id }) => _id === request.params.invitationId);
        if (!invitation) throw new NotFoundError(NOTHING_HERE);
        return ConfirmRevokeInvitation({ page, project, id: invitation._id, email: invitation.email, problem });
      },
      async take(request) {
        const { projectId, invitationId } = request.params;
        await invitations.revoke(callerOf(request), projectId, invitationId);
        return { goTo: `/projects/${projectId}/settings/members`, notice: 'The invitation is revoked.' };
      },
    }),
  ];
}
