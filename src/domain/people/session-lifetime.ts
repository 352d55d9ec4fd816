import type { Session, User } from './people.js';

export interface SessionLifetime {
  /** Maximum idle time. */
  sessionMs: number;
  /** Maximum lifetime. */
  sessionMaxMs: number;
}

/** The expiry of a session that is used now. */
export function sessionEnd(createdAt: Date, now: Date, { sessionMs, sessionMaxMs }: SessionLifetime): Date {
  return new Date(Math.min(now.getTime() + sessionMs, createdAt.getTime() + sessionMaxMs));
}

/** Whether a session has not expired, the account is not disabled, and its credentials have not changed. */
export function isSessionValid(
  session: Pick<Session, 'createdAt' | 'expiresAt' | 'credentialVersion'>,
  user: Pick<User, 'disabledAt' | 'credentialVersion'>,
  now: Date,
  { sessionMaxMs }: Pick<SessionLifetime, 'sessionMaxMs'>,
): boolean {
  const isOver = session.expiresAt <= now || session.createdAt.getTime() + sessionMaxMs <= now.getTime();
  return !isOver && !user.disabledAt && (session.credentialVersion ?? 0) === (user.credentialVersion ?? 0);
}
