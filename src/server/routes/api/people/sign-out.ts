import { callerOf } from '../../../access.js';
import { apiRoute } from '../../../api/api-route.js';
import type { RouteDeps } from '../../../context.js';
import { withoutSession } from '../../../sign-in-cookies.js';

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
