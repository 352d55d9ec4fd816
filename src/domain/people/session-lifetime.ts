import type { Session, User } from './people.js';

/** How long a session lasts, in ms. */
export interface SessionLifetime {
  /** Without a use. */
  sessionMs: number;
  /** From its beginning, however it is used. */
  sessionMaxMs: number;
}

/** When a session ends that is used now and not again. */
export function sessionEnd(createdAt: Date, now: Date, { sessionMs, sessionMaxMs }: SessionLifetime): Date {
  return new Date(Math.min(now.getTime() + sessionMs, createdAt.getTime() + sessionMaxMs));
}

/** Whether a session signs its user in: it is not over, the account is not disabled, and its credentials are the same. */
export function isSessionValid(
  session: Pick<Session, 'createdAt' | 'expiresAt' | 'credentialVersion'>,
  user: Pick<User, 'disabledAt' | 'credentialVersion'>,
  now: Date,
  { sessionMaxMs }: Pick<SessionLifetime, 'sessionMaxMs'>,
): boolean {
  const isOver = session.expiresAt <= now || session.createdAt.getTime() + sessionMaxMs <= now.getTime();
  return !isOver && !user.disabledAt && (session.credentialVersion ?? 0) === (user.credentialVersion ?? 0);
}
