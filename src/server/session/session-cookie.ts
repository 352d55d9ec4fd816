import type { ServerStateCookieOptions } from '@hapi/hapi';

/** The prefix restricts the cookie to this host and to HTTPS; browsers reject it over HTTP. */
const SECURE_NAME = '__Host-runhook_session';
const PLAIN_NAME = 'runhook_session';

/** The cookie name for the scheme of the public URL. The other one is not read: over HTTP, others could have set it. */
export function sessionCookieName(publicUrl: string): string {
  return publicUrl.startsWith('https:') ? SECURE_NAME : PLAIN_NAME;
}

/** Name and attributes of the session cookie. @param ttlMs its lifetime in ms; 0 deletes it */
export function sessionCookie(publicUrl: string, ttlMs: number): { name: string; options: ServerStateCookieOptions } {
  const isSecure = publicUrl.startsWith('https:');
  return {
    name: sessionCookieName(publicUrl),
    options: { ttl: ttlMs, isSecure, isHttpOnly: true, isSameSite: 'Lax', path: '/', encoding: 'none' },
  };
}
