import Joi from 'joi';
import { csrfTokenOf } from '#src/services/access/authenticate.js';
import { apiRoute } from '#src/server/api/api-route.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { refuseOtherSites } from '#src/server/http/same-site.js';
import { originOf, PASSWORD_RESPONSE_MS, withSession } from '#src/server/session/sign-in-cookies.js';
import { me, showMe } from '#src/server/routes/api/me.js';
import { email, currentPassword } from './fields.js';

/** POST /api/v2/auth/sign-in/ */
export function signInRoute({ people, publicUrl, sessionMs }: RouteDeps) {
  return apiRoute<{ Payload: { email: string; password: string } }>({
    method: 'POST',
    path: '/auth/sign-in/',
    access: 'public',
    answerMs: PASSWORD_RESPONSE_MS,
    summary: 'Sign in',
    description: 'Sets the session cookie. Programs should use API tokens instead.',
    tag: 'Account',
    body: Joi.object({ email: email.required(), password: currentPassword.required() }),
    bodyExample: { email: 'ada@example.com', password: 'a long password of hers' },
    answers: { 200: { description: 'You are signed in.', schema: me } },
    async handler(request, h) {
      refuseOtherSites(request, publicUrl);
      const signedIn = await people.signIn(request.payload, originOf(request));
      const { principal, user, session } = signedIn;
      return withSession(h.response(showMe(principal, user, csrfTokenOf(session))), signedIn, { publicUrl, sessionMs });
    },
  });
}
