import type { ResponseObject, ServerRoute } from '@hapi/hapi';
import { ROUTE_RESPONSE_MS, withinResponseTime } from '#src/services/within-response-time.js';
import { InvitationPage } from './page.js';
import { callerOf } from '#src/server/http/route-access.js';
import { defineRoute, type RouteDeps } from '#src/server/route-deps.js';
import { formField, formPayload, formProblem, withProblem } from '#src/server/http/form.js';
import { formPageResponse } from '#src/server/http/page-response.js';
import { refuseOtherSites } from '#src/server/http/same-site.js';
import { originOf, PASSWORD_RESPONSE_MS, withSession } from '#src/server/session/sign-in-cookies.js';
import { pageContextOf } from '#src/server/pages/page-context-of.js';

interface InvitationRefs {
  Params: { token: string };
}

/** GET /invitations/{token}: what a person's invitation leads to. */
export function invitationPageRoute({ people }: RouteDeps): ServerRoute {
  return defineRoute<InvitationRefs>({
    method: 'GET',
    path: '/invitations/{token}',
    options: { app: { access: 'maybe-signed-in' } },
    async handler(request, h) {
      const { token } = request.params;
      const invitation = await withinResponseTime(ROUTE_RESPONSE_MS, () => people.invitationAcceptance.preview(token));
      const page = InvitationPage({ ...invitation, path: pathOf(token), page: pageContextOf(request) });
      return formPageResponse(h, page);
    },
  });
}

/** POST /invitations/{token}: the form, sent. */
export function invitationFormRoute({ people, publicUrl, sessionMs }: RouteDeps): ServerRoute {
  return defineRoute<InvitationRefs>({
    method: 'POST',
    path: '/invitations/{token}',
    options: { app: { access: 'maybe-signed-in' }, payload: formPayload },
    async handler(request, h): Promise<ResponseObject> {
      refuseOtherSites(request, publicUrl);
      const { token } = request.params;
      const field = (name: string) => formField(request.payload, name) || undefined;
      const account = { name: field('name'), email: field('email'), password: field('password') };
      try {
        const { signedIn } = await withinResponseTime(PASSWORD_RESPONSE_MS, () =>
          people.invitationAcceptance.accept(callerOf(request), token, account, originOf(request)),
        );
        const home = h.redirect('/').code(303);
        return signedIn ? withSession(home, signedIn, { publicUrl, sessionMs }) : home;
      } catch (error) {
        const problem = formProblem(error);
        const invitation = await withinResponseTime(ROUTE_RESPONSE_MS, () =>
          people.invitationAcceptance.preview(token),
        );
        const shown = {
          ...invitation,
          email: account.email ?? invitation.email,
          name: account.name,
          page: pageContextOf(request),
        };
        const page = InvitationPage({ ...shown, path: pathOf(token), problem: problem.message });
        return withProblem(formPageResponse(h, page), problem);
      }
    },
  });
}

function pathOf(token: string): string {
  return `/invitations/${encodeURIComponent(token)}`;
}
