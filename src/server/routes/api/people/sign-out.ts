import { callerOf } from '#src/server/http/route-access.js';
import { apiRoute } from '#src/server/api/api-route.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { withoutSession } from '#src/server/session/sign-in-cookies.js';

/** POST /api/v2/auth/sign-out/ */
export function signOutRoute({ people, publicUrl }: RouteDeps) {
  return apiRoute({
    method: 'POST',
    path: '/auth/sign-out/',
    access: { right: 'account.edit' },
    summary: 'Sign out',
    tag: 'Account',
    answers: { 204: { description: 'The session has ended.' } },
    async handler(request, h) {
      await people.account.signOut(callerOf(request));
      return withoutSession(h.response().code(204), publicUrl);
    },
  });
}
