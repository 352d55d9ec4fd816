import type { ServerRoute } from '@hapi/hapi';
import type { RouteDeps } from '#src/server/route-deps.js';
import { acceptInvitationRoute, invitationPreviewRoute } from './accept-invitation.js';
import { changePasswordRoute, renameMeRoute } from './account.js';
import { auditRoute, projectAuditRoute } from './audit.js';
import { invitationsRoute, inviteRoute, revokeInvitationRoute } from './invitations.js';
import { changeRoleRoute, leaveProjectRoute, membersRoute, removeMemberRoute } from './members.js';
import { endSessionRoute, sessionsRoute } from './sessions.js';
import { signInRoute } from './sign-in.js';
import { signOutRoute } from './sign-out.js';
import { addUserRoute, changeUserRoute, usersRoute } from './users.js';

/** People, sessions, members, invitations, audit. */
export function peopleRoutes(deps: RouteDeps): ServerRoute[] {
  return [
    signInRoute,
    signOutRoute,
    renameMeRoute,
    changePasswordRoute,
    sessionsRoute,
    endSessionRoute,
    invitationsRoute,
    inviteRoute,
    revokeInvitationRoute,
    invitationPreviewRoute,
    acceptInvitationRoute,
    membersRoute,
    changeRoleRoute,
    leaveProjectRoute,
    removeMemberRoute,
    usersRoute,
    addUserRoute,
    changeUserRoute,
    projectAuditRoute,
    auditRoute,
  ].map((route) => route(deps));
}
