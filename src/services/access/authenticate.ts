import { createHmac } from 'node:crypto';
import type { ApiTokenStore } from '#src/db/tokens/api-token-store.js';
import type { SessionStore } from '#src/db/people/session-store.js';
import type { UserStore } from '#src/db/people/user-store.js';
import type { Clock } from '#src/domain/clock.js';
import type { ApiToken, Session, User } from '#src/domain/people/people.js';
import { PROJECT_TOKEN_SCOPES, SCOPES, type Principal, type Scope } from '#src/domain/people/rights.js';
import { isSessionValid, sessionEnd, type SessionLifetime } from '#src/domain/people/session-lifetime.js';
import { hashOfToken, looksLikeToken } from '#src/domain/tokens/token-format.js';
import { SERVICE_RESPONSE_MS, withinResponseTime } from '#src/services/within-response-time.js';

/** A use is written at most so often, in ms. */
const TOUCH_EVERY_MS = 60_000;
/** A browser's cookie is renewed at most so often, in ms. */
const RENEW_EVERY_MS = 24 * 3_600_000;

/** What a request brings along. */
export interface Credentials {
  /** Of the header `Authorization: Token …`. */
  token?: string;
  /** Of the session's cookie. */
  session?: string;
}

export interface Authenticator {
  /**
   * Who a caller is; undefined when his credentials open nothing (any more). A token counts before a cookie.
   * @throws UnavailableError when the database does not answer
   */
  principalOf(credentials: Credentials): Promise<Principal | undefined>;
}

export interface AuthenticatorDeps extends SessionLifetime {
  users: Pick<UserStore, 'find'>;
  sessions: Pick<SessionStore, 'findLive' | 'touch'>;
  apiTokens: Pick<ApiTokenStore, 'findLive' | 'touch'>;
  clock: Clock;
}

export function createAuthenticator(deps: AuthenticatorDeps): Authenticator {
  const { users, sessions, apiTokens, clock, sessionMs } = deps;

  async function byToken(text: string): Promise<Principal | undefined> {
    if (!looksLikeToken('api', text)) return undefined;
    const now = clock.now();
    const token = await apiTokens.findLive(hashOfToken(text), now);
    if (!token) return undefined;
    const principal = token.userId === undefined ? ofProject(token) : await ofPerson(token, token.userId);
    if (principal && isStale(token.lastUsedAt, now)) behind(apiTokens.touch(token._id, now));
    return principal;
  }

  async function ofPerson(token: ApiToken, userId: string): Promise<Principal | undefined> {
    const user = await users.find(userId);
    if (!user || user.disabledAt) return undefined;
    return { ...personal(user), via: 'token', scopes: token.scopes, credentialId: token.id };
  }

  async function bySession(text: string): Promise<Principal | undefined> {
    if (!looksLikeToken('session', text)) return undefined;
    const now = clock.now();
    const session = await sessions.findLive(hashOfToken(text), now);
    const user = session && (await users.find(session.userId));
    if (!session || !user || !isSessionValid(session, user, now, deps)) return undefined;
    const renewsCookie = isStale(session.cookieAt ?? session.createdAt, now, Math.min(RENEW_EVERY_MS, sessionMs / 2));
    if (renewsCookie || isStale(session.lastSeenAt, now))
      behind(sessions.touch(session._id, { ...seenNow(session, now), ...(renewsCookie ? { cookieAt: now } : {}) }));
    const principal = { ...personal(user), via: 'session' as const, scopes: SCOPES, credentialId: session.id };
    return renewsCookie ? { ...principal, renewsCookie } : principal;
  }

  const seenNow = ({ createdAt }: Session, now: Date): Pick<Session, 'lastSeenAt' | 'expiresAt'> => ({
    lastSeenAt: now,
    expiresAt: sessionEnd(createdAt, now, deps),
  });

  return {
    async principalOf({ token, session }) {
      if (token === undefined && session === undefined) return undefined;
      return withinResponseTime(SERVICE_RESPONSE_MS, async () =>
        token === undefined ? bySession(session!) : byToken(token),
      );
    },
  };
}

/** What a form or a script of the session's own pages sends along: another site cannot know it. */
export function csrfTokenOf(session: string): string {
  return createHmac('sha256', session).update('runhook csrf').digest('base64url');
}

function ofProject({ projectId, name, scopes, id }: ApiToken): Principal {
  const own = scopes.filter((scope) => (PROJECT_TOKEN_SCOPES as readonly Scope[]).includes(scope));
  return { via: 'token', projectId: projectId!, name, isAdmin: false, scopes: own, credentialId: id };
}

function personal({ _id, email, isAdmin }: User): Pick<Principal, 'userId' | 'name' | 'isAdmin'> {
  return { userId: _id, name: email, isAdmin };
}

function isStale(at: Date | undefined, now: Date, afterMs = TOUCH_EVERY_MS): boolean {
  return at === undefined || now.getTime() - at.getTime() > afterMs;
}

/** Behind the answer; the next use tries again. */
function behind(write: Promise<void>): void {
  write.catch(() => {});
}
