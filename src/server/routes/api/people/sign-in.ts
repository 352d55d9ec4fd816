import Joi from 'joi';
import { csrfTokenOf } from '../../../../services/authenticate.js';
import { apiRoute } from '../../../api/api-route.js';
import type { RouteDeps } from '../../../context.js';
import { refuseOtherSites } from '../../../same-site.js';
import { originOf, PASSWORD_ANSWER_MS, withSession } from '../../../sign-in-cookies.js';
import { me, showMe } from '../me.js';
import { email, givenPassword } from './fields.js';

/** POST /api/v2/auth/sign-in/ */
export function signInRoute({ people, publicUrl, sessionMs }: RouteDeps) {
  return apiRoute<{ Payload: { email: string; password: string } }>({
    method: 'POST',
    path: '/auth/sign-in/',
    access: 'public',
    answerMs: PASSWORD_ANSWER_MS,
    summary: 'Sign in',
    description: 'Sets the session’s cookie. Programs use API tokens instead.',
    tag: 'Account',
    body: Joi.object({ email: email.required(), password: givenPassword.required() }),
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
