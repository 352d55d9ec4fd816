import type { ServerStateCookieOptions } from '@hapi/hapi';

/** The prefix binds the cookie to this host and to https; browsers refuse it over plain http. */
const SECURE_NAME = '__Host-runhook_session';
const PLAIN_NAME = 'runhook_session';

/** Under which names a session's token may arrive. */
export const SESSION_COOKIES = [SECURE_NAME, PLAIN_NAME] as const;

/** Name and attributes of the session's cookie. @param ttlMs how long the browser keeps it, in ms; 0 removes it */
export function sessionCookie(publicUrl: string, ttlMs: number): { name: string; options: ServerStateCookieOptions } {
  const isSecure = publicUrl.startsWith('https:');
  return {
    name: isSecure ? SECURE_NAME : PLAIN_NAME,
    options: { ttl: ttlMs, isSecure, isHttpOnly: true, isSameSite: 'Lax', path: '/', encoding: 'none' },
  };
}
