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
  /** Its scheme determines the name of the session cookie. */
  publicUrl: string;
}

const SAFE_METHODS = ['get', 'head', 'options'];
const TOKEN_SCHEME = /^(?:Token|Bearer)\s+(\S+)$/i;

/** Authentication, CSRF protection and authorization of every request. */
export const access: Plugin<AccessOptions> = {
  name: 'access',
  register(server, options) {
    const cookieName = sessionCookieName(options.publicUrl);

    /** @throws TooManyError after too many invalid credentials from the address */
    async function authenticate(credentials: Credentials, address: string): Promise<Principal | undefined> {
      const credential = credentials.token ?? credentials.session;
      // Without credentials there is nothing to guess.
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
      const access = request.route.settings.app?.access ?? 'public';
      if (access === 'public') return h.continue;
      const credentials = credentialsOf(request, cookieName);
      const principal = await authenticate(credentials, request.app.address);
      if (!principal) {
        if (access === 'maybe-signed-in') return h.continue;
        if (SAFE_METHODS.includes(request.method) && isForBrowser(request))
          return h.redirect(signInPath(request)).code(303).takeover();
        throw new UnauthorizedError(whyUnauthorized(credentials));
      }
      request.app.principal = principal;
      if (credentials.session !== undefined) request.app.csrfToken = csrfTokenOf(credentials.session);
      if (access === 'maybe-signed-in') return h.continue;
      if ('project' in access)
        request.app.project = await options.access.inProject(
          principal,
          access.right,
          await access.project(request as { params: Record<string, string> }),
        );
      else if (!('projectOfBody' in access || 'askedBy' in access)) options.access.inInstance(principal, access.right);
      return h.continue;
    });

    // The body is parsed and validated by now.
    server.ext('onPreHandler', async (request, h) => {
      const access = request.route.settings.app?.access ?? 'public';
      if (typeof access === 'object' && 'projectOfBody' in access)
        request.app.project = await options.access.inProject(
          principalOf(request),
          access.right,
          await access.projectOfBody(request.payload as never),
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
