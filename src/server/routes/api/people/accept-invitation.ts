import Joi from 'joi';
import { personName } from '#src/domain/targets/definition-fields.js';
import { csrfTokenOf } from '#src/services/access/authenticate.js';
import { callerOf } from '#src/server/http/route-access.js';
import { apiRoute } from '#src/server/api/api-route.js';
import { apiError, moment, uuid } from '#src/server/api/shapes.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { refuseOtherSites } from '#src/server/http/same-site.js';
import { originOf, PASSWORD_RESPONSE_MS, withSession } from '#src/server/session/sign-in-cookies.js';
import { me, showMe } from '#src/server/routes/api/me.js';
import { email, newPassword, role } from './fields.js';

const token = Joi.string().max(100);

/** GET /api/v2/auth/invitations/{token}/ */
export function invitationPreviewRoute({ people }: RouteDeps) {
  return apiRoute<{ Params: { token: string } }>({
    method: 'GET',
    path: '/auth/invitations/{token}/',
    access: 'public',
    summary: 'Retrieve an invitation',
    tag: 'Account',
    params: Joi.object({ token: token.required() }),
    answers: {
      200: {
        description: 'The details that anyone with the link can see.',
        schema: Joi.object({
          projectName: Joi.string().required(),
          role: role.required(),
          email: Joi.string().allow(null).required(),
          expiresAt: moment.required(),
        }),
      },
    },
    async handler(request) {
      const { email = null, expiresAt, ...rest } = await people.invitationAcceptance.preview(request.params.token);
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
    answerMs: PASSWORD_RESPONSE_MS,
    summary: 'Accept an invitation',
    description:
      'If you are signed in, you join the project. Otherwise an account is created and its session cookie is set. An invitation can be accepted once, and not with an API token.',
    tag: 'Account',
    body: Joi.object({ token: token.required(), name: personName, email, password: newPassword }),
    bodyExample: { token: 'rhin_…', name: 'Grace', email: 'grace@example.com', password: 'a long password of hers' },
    answers: {
      200: {
        description: 'You are a member of the project.',
        schema: Joi.object({
          projectId: uuid.required(),
          me: me.allow(null).required().description('The new account, now signed in. Null if you already had one.'),
        }),
      },
      409: {
        description:
          '`other_email`: the invitation is for a different email address. `sign_in_first`: the invitation cannot create an account for this email address; if you have one, sign in first.',
        schema: apiError,
      },
    },
    async handler(request, h) {
      refuseOtherSites(request, publicUrl);
      const { token: given, ...account } = request.payload;
      const accepted = await people.invitationAcceptance.accept(callerOf(request), given, account, originOf(request));
      const { projectId, signedIn } = accepted;
      if (!signedIn) return { projectId, me: null };
      const shown = showMe(signedIn.principal, signedIn.user, csrfTokenOf(signedIn.session));
      return withSession(h.response({ projectId, me: shown }), signedIn, { publicUrl, sessionMs });
    },
  });
}
