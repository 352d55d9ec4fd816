import type { ResponseObject, ServerRoute } from '@hapi/hapi';
import { NotFoundError } from '#src/domain/errors.js';
import { withinResponseTime } from '#src/services/within-response-time.js';
import { SignInPage } from './page.js';
import { defineRoute, type RouteDeps } from '#src/server/route-deps.js';
import { formProblem, ownPath, withProblem } from '#src/server/http/form.js';
import { formPageResponse } from '#src/server/http/page-response.js';
import { originOf, withSession } from '#src/server/session/sign-in-cookies.js';

/** The provider is asked up to three times on the way. */
const ANSWER_DEADLINE_MS = 15_000;
const TRIP_COOKIE = 'runhook_oidc';
const TRIP_PATH = '/auth/oidc';
const TRIP_TTL_MS = 10 * 60_000;

/** Of the browser's way to the provider and back; Lax: the way back begins on another site. */
function tripCookie(publicUrl: string) {
  const isSecure = publicUrl.startsWith('https:');
  return {
    ttl: TRIP_TTL_MS,
    isSecure,
    isHttpOnly: true,
    isSameSite: 'Lax',
    path: TRIP_PATH,
    encoding: 'none',
  } as const;
}

/** GET /auth/oidc/start?next={path}: leads to the provider. */
export function openIdStartRoute({ people, publicUrl }: RouteDeps): ServerRoute {
  return defineRoute<{ Query: { next?: unknown } }>({
    method: 'GET',
    path: '/auth/oidc/start',
    options: { app: { access: 'public' } },
    async handler(request, h): Promise<ResponseObject> {
      const { openId } = people;
      if (!openId) throw new NotFoundError('This server has no sign-in provider.');
      const next = ownPath(request.query.next);
      try {
        const { url, trip } = await withinResponseTime(ANSWER_DEADLINE_MS, () => openId.start(next));
        return h.redirect(url).code(303).state(TRIP_COOKIE, trip, tripCookie(publicUrl));
      } catch (error) {
        const problem = formProblem(error);
        const page = SignInPage({ next, problem: problem.message, provider: openId.name });
        return withProblem(formPageResponse(h, page), problem);
      }
    },
  });
}

/** GET /auth/oidc/callback: where the provider sends the browser back to. */
export function openIdCallbackRoute({ people, publicUrl, sessionMs }: RouteDeps): ServerRoute {
  return defineRoute({
    method: 'GET',
    path: '/auth/oidc/callback',
    options: { app: { access: 'public' } },
    async handler(request, h): Promise<ResponseObject> {
      const { openId } = people;
      if (!openId) throw new NotFoundError('This server has no sign-in provider.');
      const kept = request.state[TRIP_COOKIE] as unknown;
      const answer = new URL(`${publicUrl}${TRIP_PATH}/callback${request.url.search}`);
      try {
        const { signedIn, next } = await withinResponseTime(ANSWER_DEADLINE_MS, () =>
          openId.finish(answer, typeof kept === 'string' ? kept : '', originOf(request)),
        );
        const home = h.redirect(next).code(303).unstate(TRIP_COOKIE, tripCookie(publicUrl));
        return withSession(home, signedIn, { publicUrl, sessionMs });
      } catch (error) {
        const problem = formProblem(error);
        const page = SignInPage({ next: '/', problem: problem.message, provider: openId.name });
        return withProblem(formPageResponse(h, page), problem);
      }
    },
  });
}
