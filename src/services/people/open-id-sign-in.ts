import type { ApiTokenStore } from '#src/db/tokens/api-token-store.js';
import type { SessionStore } from '#src/db/people/session-store.js';
import type { UserStore } from '#src/db/people/user-store.js';
import type { Clock } from '#src/domain/clock.js';
import { UnauthorizedError } from '#src/domain/errors.js';
import { randomId } from '#src/domain/ids.js';
import type { User } from '#src/domain/people/people.js';
import type { Audit } from './audit-log.js';
import type { OpenIdClaims } from './open-id.js';
import type { SessionOpener, SignedIn, SignInOrigin } from './open-session.js';

const NO_ACCOUNT =
  'You do not have an account here. Ask a project owner for an invitation, or an admin for an account.';

export interface OpenIdSignInDeps {
  users: Pick<UserStore, 'findByIdentity' | 'findByEmail' | 'change' | 'insert'>;
  sessions: Pick<SessionStore, 'endOthers'>;
  apiTokens: Pick<ApiTokenStore, 'revokeAll'>;
  openSession: SessionOpener;
  audit: Audit;
  /** The database's. */
  clock: Clock;
}

/**
 * Signs in with the claims of an OpenID Connect provider: to the account with this identity, else to the one with this
 * verified email, which is then linked, else, if sign-up is allowed, to a new one. Someone else may have created the
 * account with this email: linking revokes its password, sessions and API tokens.
 * @throws UnauthorizedError
 */
export type OpenIdSignIn = (claims: OpenIdClaims, allowsSignUp: boolean, origin: SignInOrigin) => Promise<SignedIn>;

export function createOpenIdSignIn(deps: OpenIdSignInDeps): OpenIdSignIn {
  const { users, sessions, apiTokens, openSession, audit, clock } = deps;
  const about = ({ _id, email }: User) => ({ target: { type: 'user', id: _id, name: email } });

  async function byEmail({ issuer, subject, email }: OpenIdClaims, address: string): Promise<User | undefined> {
    const user = email === undefined ? undefined : await users.findByEmail(email);
    // An account that is linked to another identity stays with that identity.
    if (!user || user.identity || user.disabledAt) return user?.identity ? undefined : user;
    await audit.note({ address }, 'user.linkIdentity', { ...about(user), details: { issuer } });
    // First the user: this invalidates earlier sessions and prevents new ones with the password.
    const changed = await users.change(user._id, { identity: { issuer, subject }, passwordHash: null });
    await Promise.all([sessions.endOthers(user._id, undefined), apiTokens.revokeAll({ userId: user._id })]);
    return changed;
  }

  async function signUp({ issuer, subject, email, name = '' }: OpenIdClaims, address: string) {
    if (email === undefined) return undefined;
    const identity = { issuer, subject };
    const user: User = { _id: randomId(), email, name, identity, isAdmin: false, createdAt: clock.now() };
    if (!(await users.insert(user))) return undefined;
    await audit.note({ address }, 'user.create', { ...about(user), details: { issuer } });
    return user;
  }

  return async (claims, allowsSignUp, origin) => {
    const { address } = origin;
    const user =
      (await users.findByIdentity(claims)) ??
      (await byEmail(claims, address)) ??
      (allowsSignUp ? await signUp(claims, address) : undefined);
    if (user && !user.disabledAt) return openSession(user, origin, 'openid');
    const reason = user ? 'account disabled' : 'no account';
    await audit.note({ address }, 'session.refuse', { ...(user ? about(user) : {}), details: { reason } });
    throw new UnauthorizedError(NO_ACCOUNT);
  };
}
