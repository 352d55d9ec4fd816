import type { SessionStore } from '#src/db/people/session-store.js';
import type { UserStore } from '#src/db/people/user-store.js';
import type { Clock } from '#src/domain/clock.js';
import { randomId } from '#src/domain/ids.js';
import type { User } from '#src/domain/people/people.js';
import { SCOPES, type Principal } from '#src/domain/people/rights.js';
import { sessionEnd, type SessionLifetime } from '#src/domain/people/session-lifetime.js';
import { hashOfToken, newToken } from '#src/domain/tokens/token-format.js';
import type { Audit } from './audit-log.js';
import { newDevice } from './known-device.js';

const MAX_USER_AGENT_LENGTH = 200;

/** The client of a sign-in. */
export interface SignInOrigin {
  address: string;
  userAgent: string;
  /** The device cookie of an earlier sign-in (see known-device.ts). */
  device?: string | undefined;
}

/** A person who has just signed in, and the cookies of the session. */
export interface SignedIn {
  user: User;
  principal: Principal;
  /** The session's token. */
  session: string;
  /** See known-device.ts. */
  device: string;
}

/** How the person authenticated. */
export type SignInMethod = 'password' | 'invitation' | 'openid';

/** Opens a session for an authenticated person. @throws the driver's error */
export type SessionOpener = (user: User, origin: SignInOrigin, method: SignInMethod) => Promise<SignedIn>;

export interface SessionOpenerDeps extends SessionLifetime {
  sessions: Pick<SessionStore, 'insert'>;
  users: Pick<UserStore, 'noteSignIn'>;
  audit: Audit;
  secretKeys: Buffer[];
  clock: Clock;
}

export function createSessionOpener({ sessions, users, audit, secretKeys, clock, ...lifetime }: SessionOpenerDeps) {
  const open: SessionOpener = async (user, { address, userAgent }, method) => {
    const session = newToken('session');
    const now = clock.now();
    const id = randomId();
    await sessions.insert({
      _id: hashOfToken(session),
      id,
      userId: user._id,
      credentialVersion: user.credentialVersion ?? 0,
      createdAt: now,
      lastSeenAt: now,
      expiresAt: sessionEnd(now, now, lifetime),
      address,
      userAgent: userAgent.slice(0, MAX_USER_AGENT_LENGTH),
    });
    await users.noteSignIn(user._id, address, now);
    const principal: Principal = {
      via: 'session',
      userId: user._id,
      name: user.email,
      isAdmin: user.isAdmin,
      scopes: SCOPES,
      credentialId: id,
    };
    await audit.note({ principal, address }, 'session.start', { details: { method } });
    return { user, principal, session, device: newDevice(secretKeys, user._id) };
  };
  return open;
}
