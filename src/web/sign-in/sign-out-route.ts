import type { ServerRoute } from '@hapi/hapi';
import { ROUTE_RESPONSE_MS, withinResponseTime } from '#src/services/within-response-time.js';
import { callerOf } from '#src/server/http/route-access.js';
import { defineRoute, type RouteDeps } from '#src/server/route-deps.js';
import { formPayload } from '#src/server/http/form.js';
import { withoutSession } from '#src/server/session/sign-in-cookies.js';
import { viewerOf } from '#src/server/http/viewer-of.js';

/** POST /sign-out: the header's button. Whose session has ended meanwhile is signed out as well. */
export function signOutFormRoute({ people, publicUrl }: RouteDeps): ServerRoute {
  return defineRoute({
    method: 'POST',
    path: '/sign-out',
    options: { app: { access: 'maybe-signed-in' }, payload: formPayload },
    async handler(request, h) {
      if (viewerOf(request))
        await withinResponseTime(ROUTE_RESPONSE_MS, () => people.account.signOut(callerOf(request)));
      return withoutSession(h.redirect('/sign-in').code(303), publicUrl);
    },
  });
}
