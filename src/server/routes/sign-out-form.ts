import type { ServerRoute } from '@hapi/hapi';
import { ROUTE_ANSWER_MS, withinAnswerTime } from '../../services/within-answer-time.js';
import { callerOf } from '../access.js';
import { defineRoute, type RouteDeps } from '../context.js';
import { formPayload } from '../form.js';
import { withoutSession } from '../sign-in-cookies.js';
import { viewerOf } from '../viewer.js';

/** POST /sign-out: the header's button. Whose session has ended meanwhile is signed out as well. */
export function signOutFormRoute({ people, publicUrl }: RouteDeps): ServerRoute {
  return defineRoute({
    method: 'POST',
    path: '/sign-out',
    options: { app: { access: 'maybe-signed-in' }, payload: formPayload },
    async handler(request, h) {
      if (viewerOf(request)) await withinAnswerTime(ROUTE_ANSWER_MS, () => people.account.signOut(callerOf(request)));
      return withoutSession(h.redirect('/sign-in').code(303), publicUrl);
    },
  });
}
