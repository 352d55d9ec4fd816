import type { ServerRoute } from '@hapi/hapi';
import { NotFoundError } from '../../../../domain/errors.js';
import { NOTHING_HERE } from '../../../../services/access.js';
import { ConfirmEndSession, SessionsPage } from '../../../../web/pages/account/sessions-page.js';
import { callerOf, principalOf } from '../../../access.js';
import type { RouteDeps } from '../../../context.js';
import { confirmRoutes } from '../../../pages/confirm-routes.js';
import { pageRoute } from '../../../pages/page-route.js';

const access = { right: 'account.edit' } as const;

/** /profile/sessions: where the viewer is signed in, and the end of one. */
export function sessionRoutes({ people: { account } }: RouteDeps): ServerRoute[] {
  return [
    pageRoute({
      path: '/profile/sessions',
      access,
      async show(request, page) {
        const principal = principalOf(request);
        const sessions = await account.sessions(principal);
        return SessionsPage({ page, sessions, currentId: principal.credentialId });
      },
    }),

    ...confirmRoutes<{ Params: { sessionId: string } }>({
      path: '/profile/sessions/{sessionId}/end',
      access,
      async ask(request, page, problem) {
        const sessions = await account.sessions(principalOf(request));
        const session = sessions.find(({ id }) => id === request.params.sessionId);
        if (!session) throw new NotFoundError(NOTHING_HERE);
        return ConfirmEndSession({ page, session, problem });
      },
      async take(request) {
        await account.endSession(callerOf(request), request.params.sessionId);
        return { goTo: '/profile/sessions', notice: 'That browser is signed out.' };
      },
    }),
  ];
}
