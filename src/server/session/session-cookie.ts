import type { ServerStateCookieOptions } from '@hapi/hapi';

/** The prefix binds the cookie to this host and to https; browsers refuse it over plain http. */
const SECURE_NAME = '__Host-runhook_session';
const PLAIN_NAME = 'runhook_session';

/** The name for the scheme of the public URL. A cookie of the other name is not read: over http others could have set it. */
export function sessionCookieName(publicUrl: string): string {
  return publicUrl.startsWith('https:') ? SECURE_NAME : PLAIN_NAME;
}

/** Name and attributes of the session's cookie. @param ttlMs how long the browser keeps it, in ms; 0 removes it */
export function sessionCookie(publicUrl: string, ttlMs: number): { name: string; options: ServerStateCookieOptions } {
  const isSecure = publicUrl.startsWith('https:');
  return {
    name: sessionCookieName(publicUrl),
    options: { ttl: ttlMs, isSecure, isHttpOnly: true, isSameSite: 'Lax', path: '/', encoding: 'none' },
  };
}
