import type { ResponseObject, ServerRoute } from '@hapi/hapi';
import { withinResponseTime } from '#src/services/within-response-time.js';
import { SignInPage } from './page.js';
import { defineRoute, type RouteDeps } from '#src/server/route-deps.js';
import { formField, formPayload, formProblem, ownPath, withProblem } from '#src/server/http/form.js';
import { formPageResponse } from '#src/server/http/page-response.js';
import { refuseOtherSites } from '#src/server/http/same-site.js';
import { originOf, PASSWORD_RESPONSE_MS, withSession } from '#src/server/session/sign-in-cookies.js';
import { viewerOf } from '#src/server/http/viewer-of.js';

/** GET /sign-in?next={path}: the form; who is signed in goes on. */
export function signInPageRoute({ people }: RouteDeps): ServerRoute {
  return defineRoute<{ Query: { next?: unknown } }>({
    method: 'GET',
    path: '/sign-in',
    options: { app: { access: 'maybe-signed-in' } },
    handler(request, h) {
      const next = ownPath(request.query.next);
      if (viewerOf(request)) return h.redirect(next).code(303);
      return formPageResponse(h, SignInPage({ next, provider: people.openId?.name }));
    },
  });
}

/** POST /sign-in: the form, sent. */
export function signInFormRoute({ people, publicUrl, sessionMs }: RouteDeps): ServerRoute {
  return defineRoute({
    method: 'POST',
    path: '/sign-in',
    options: { app: { access: 'public' }, payload: formPayload },
    async handler(request, h): Promise<ResponseObject> {
      refuseOtherSites(request, publicUrl);
      const field = (name: string) => formField(request.payload, name);
      const [email, password, next] = [field('email'), field('password'), ownPath(field('next'))];
      try {
        const signedIn = await withinResponseTime(PASSWORD_RESPONSE_MS, () =>
          people.signIn({ email, password }, originOf(request)),
        );
        return withSession(h.redirect(next).code(303), signedIn, { publicUrl, sessionMs });
      } catch (error) {
        const problem = formProblem(error);
        const page = SignInPage({ next, email, problem: problem.message, provider: people.openId?.name });
        return withProblem(formPageResponse(h, page), problem);
      }
    },
  });
}
