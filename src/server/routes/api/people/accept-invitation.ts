import Joi from 'joi';
import { csrfTokenOf } from '../../../../services/authenticate.js';
import { callerOf } from '../../../access.js';
import { apiRoute } from '../../../api/api-route.js';
import { apiError, moment, uuid } from '../../../api/shapes.js';
import type { RouteDeps } from '../../../context.js';
import { refuseOtherSites } from '../../../same-site.js';
import { originOf, PASSWORD_ANSWER_MS, withSession } from '../../../sign-in-cookies.js';
import { me, showMe } from '../me.js';
import { email, newPassword, personName, role } from './fields.js';

const token = Joi.string().max(100);

/** GET /api/v2/auth/invitations/{token}/ */
export function lookAtInvitationRoute({ people }: RouteDeps) {
  return apiRoute<{ Params: { token: string } }>({
    method: 'GET',
    path: '/auth/invitations/{token}/',
    access: 'public',
    summary: 'What is this invitation for?',
    tag: 'Account',
    params: Joi.object({ token: token.required() }),
    answers: {
      200: {
        description: 'What whoever holds the link may know.',
        schema: Joi.object({
          projectName: Joi.string().required(),
          role: role.required(),
          email: Joi.string().allow(null).required(),
          expiresAt: moment.required(),
        }),
      },
    },
    async handler(request) {
      const { email = null, expiresAt, ...rest } = await people.invitationTaking.look(request.params.token);
      return { ...rest, email, expiresAt: expiresAt.toISOString() };
    },
  });
}

interface AcceptRefs {
  Payload: { token: string; name?: string; email?: string; password?: string };
}

/** POST /api/v2/auth/accept-invitation/ */
export function acceptInvitationRoute({ people, publicUrl, sessionMs }: RouteDeps) {
  return apiRoute<AcceptRefs>({
    method: 'POST',
    path: '/auth/accept-invitation/',
    access: 'maybe-signed-in',
    answerMs: PASSWORD_ANSWER_MS,
    summary: 'Accept an invitation',
    description:
      'A signed-in person joins the project. Without a session an account is created, and the cookie of its session is set. An invitation works once; an API token cannot accept it.',
    tag: 'Account',
    body: Joi.object({ token: token.required(), name: personName, email, password: newPassword }),
    bodyExample: { token: 'rhin_…', name: 'Grace', email: 'grace@example.com', password: 'a long password of hers' },
    answers: {
      200: {
        description: 'You are a member.',
        schema: Joi.object({
          projectId: uuid.required(),
          me: me.allow(null).required().description('Of a new account, which is signed in now.'),
        }),
      },
      409: {
        description:
          '`other_email`: the invitation is for another e-mail address. `sign_in_first`: it creates no account for this one; whoever has an account signs in first.',
        schema: apiError,
      },
    },
    async handler(request, h) {
      refuseOtherSites(request, publicUrl);
      const { token: given, ...account } = request.payload;
      const accepted = await people.invitationTaking.accept(callerOf(request), given, account, originOf(request));
      const { projectId, signedIn } = accepted;
      if (!signedIn) return { projectId, me: null };
      const shown = showMe(signedIn.principal, signedIn.user, csrfTokenOf(signedIn.session));
      return withSession(h.response({ projectId, me: shown }), signedIn, { publicUrl, sessionMs });
    },
  });
}
