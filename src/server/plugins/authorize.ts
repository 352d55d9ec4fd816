import { timingSafeEqual } from 'node:crypto';
import type { Plugin, Request } from '@hapi/hapi';
import { StaleFormError, UnauthorizedError } from '#src/domain/errors.js';
import type { Principal } from '#src/domain/people/rights.js';
import type { AccessControl } from '#src/services/access/access-control.js';
import type { CredentialThrottle } from '#src/services/limits/credential-throttle.js';
import { csrfTokenOf, type Authenticator, type Credentials } from '#src/services/access/authenticate.js';
import { isForBrowser } from '#src/server/http/browser.js';
import { sessionCookieName } from '#src/server/session/session-cookie.js';
import { principalOf } from '#src/server/http/route-access.js';

export interface AccessOptions {
  authenticator: Authenticator;
  access: AccessControl;
  refusals: CredentialThrottle;
  /** Its scheme decides which cookie is read. */
  publicUrl: string;
}

const SAFE_METHODS = ['get', 'head', 'options'];
const TOKEN_SCHEME = /^(?:Token|Bearer)\s+(\S+)$/i;

/** Authentication, CSRF protection and authorization of every request. */
export const access: Plugin<AccessOptions> = {
  name: 'access',
  register(server, options) {
    const cookieName = sessionCookieName(options.publicUrl);

    /** @throws TooManyError when too many credentials of the address were bad */
    async function principalBehind(credentials: Credentials, address: string): Promise<Principal | undefined> {
      const credential = credentials.token ?? credentials.session;
      // Without a credential there is nothing to guess.
      if (credential === undefined) return options.authenticator.principalOf(credentials);
      return options.refusals.run(
        { address, credential },
        () => options.authenticator.principalOf(credentials),
        (principal) => principal === undefined,
      );
    }

    server.events.on('route', ({ path, settings }) => {
      if (!settings.app?.access) throw new Error(`The route ${path} does not declare its access (app.access)`);
    });

    server.ext('onPreAuth', async (request, h) => {
      const needed = request.route.settings.app?.access ?? 'public';
      if (needed === 'public') return h.continue;
      const credentials = credentialsOf(request, cookieName);
      const principal = await principalBehind(credentials, request.app.address);
      if (!principal) {
        if (needed === 'maybe-signed-in') return h.continue;
        if (SAFE_METHODS.includes(request.method) && isForBrowser(request))
          return h.redirect(signInPath(request)).code(303).takeover();
        throw new UnauthorizedError(whyUnauthorized(credentials));
      }
      request.app.principal = principal;
      if (credentials.session !== undefined) request.app.csrfToken = csrfTokenOf(credentials.session);
      if (needed === 'maybe-signed-in') return h.continue;
      if ('project' in needed)
        request.app.project = await options.access.inProject(
          principal,
          needed.right,
          await needed.project(request as { params: Record<string, string> }),
        );
      else if (!('projectOfBody' in needed || 'askedBy' in needed)) options.access.inInstance(principal, needed.right);
      return h.continue;
    });

    // The body is parsed and validated by now.
    server.ext('onPreHandler', async (request, h) => {
      const needed = request.route.settings.app?.access ?? 'public';
      if (typeof needed === 'object' && 'projectOfBody' in needed)
        request.app.project = await options.access.inProject(
          principalOf(request),
          needed.right,
          await needed.projectOfBody(request.payload as never),
        );
      return h.continue;
    });

    // A form sends its token in the body, which is parsed by now.
    server.ext('onPostAuth', (request, h) => {
      if (request.app.csrfToken !== undefined && !SAFE_METHODS.includes(request.method)) checkCsrf(request);
      return h.continue;
    });
  },
};

/** @returns the sign-in page, which redirects back */
function signInPath({ url }: Request): string {
  return `/sign-in?next=${encodeURIComponent(url.pathname + url.search)}`;
}

function credentialsOf(request: Request, cookieName: string): Credentials {
  const { authorization } = request.headers;
  if (authorization !== undefined) return { token: TOKEN_SCHEME.exec(String(authorization))?.[1] ?? '' };
  const cookie = request.state[cookieName] as unknown;
  return typeof cookie === 'string' ? { session: cookie } : {};
}

function whyUnauthorized({ token, session }: Credentials): string {
  if (token !== undefined)
    return 'The API token is malformed, revoked or expired. Send a valid one: "Authorization: Token <API token>".';
  if (session !== undefined) return 'Your session has ended. Sign in again.';
  return 'Credentials are missing. Sign in, or send "Authorization: Token <API token>".';
}

/** @throws StaleFormError unless the request contains the session's CSRF token */
function checkCsrf(request: Request): void {
  const body = request.payload as { _csrf?: unknown } | null;
  const given = request.headers['x-csrf-token'] ?? (body && typeof body === 'object' ? body._csrf : undefined);
  const expected = Buffer.from(request.app.csrfToken!);
  const actual = Buffer.from(typeof given === 'string' ? given : '');
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected))
    throw new StaleFormError(
      'The CSRF token is missing or wrong. With a session cookie, send the session’s CSRF token as X-CSRF-Token; GET /api/v2/me/ returns it.',
    );
  if (body && typeof body === 'object') delete body._csrf;
}
