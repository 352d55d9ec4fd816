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

/** Minimum interval between two writes of a credential's last use, in ms. */
const TOUCH_EVERY_MS = 60_000;
/** Minimum interval between two renewals of a session cookie, in ms. */
const RENEW_EVERY_MS = 24 * 3_600_000;

/** The credentials of a request. */
export interface Credentials {
  /** From the header `Authorization: Token …`. */
  token?: string;
  /** From the session cookie. */
  session?: string;
}

export interface Authenticator {
  /**
   * @returns the caller; undefined when the credentials are invalid, expired or revoked. A token takes precedence over a cookie
   * @throws UnavailableError when the database does not respond
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
    if (principal && isStale(token.lastUsedAt, now)) inBackground(apiTokens.touch(token._id, now));
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
      inBackground(
        sessions.touch(session._id, { ...seenNow(session, now), ...(renewsCookie ? { cookieAt: now } : {}) }),
      );
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

/** The token that forms and scripts of the session's pages send; another site cannot know it. */
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

/** Does not delay the response; the next use retries a failed write. */
function inBackground(write: Promise<void>): void {
  write.catch(() => {});
}
