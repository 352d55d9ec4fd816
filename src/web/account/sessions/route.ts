import type { ServerRoute } from '@hapi/hapi';
import { NotFoundError } from '#src/domain/errors.js';
import { RESOURCE_NOT_FOUND } from '#src/services/access/access-control.js';
import { ConfirmEndSession, SessionsPage } from './page.js';
import { callerOf, principalOf } from '#src/server/http/route-access.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { formPages } from '#src/server/forms/form-pages.js';
import { pageRoute } from '#src/server/pages/page-route.js';

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

    ...formPages<{ Params: { sessionId: string } }>({
      path: '/profile/sessions/{sessionId}/end',
      access,
      async show(request, page, { problem }) {
        const sessions = await account.sessions(principalOf(request));
        const session = sessions.find(({ id }) => id === request.params.sessionId);
        if (!session) throw new NotFoundError(RESOURCE_NOT_FOUND);
        return ConfirmEndSession({ page, session, problem });
      },
      async submit(request) {
        await account.endSession(callerOf(request), request.params.sessionId);
        return { goTo: '/profile/sessions', notice: 'Session signed out.' };
      },
    }),
  ];
}
