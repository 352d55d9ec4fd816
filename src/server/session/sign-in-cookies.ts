import type { Request, ResponseObject } from '@hapi/hapi';
import type { SignedIn, SignInOrigin } from '#src/services/people/open-session.js';
import { callerOf } from '#src/server/http/route-access.js';
import { sessionCookie } from './session-cookie.js';

const DEVICE_COOKIE = 'runhook_device';
const DEVICE_TTL_MS = 365 * 24 * 3_600_000;

/** Who waits for a password's hash waits for his turn: two are made at a time, and each keeps a core busy. */
export const PASSWORD_ANSWER_MS = 15_000;

/** What signing in needs of the server's settings. */
export interface SignInSettings {
  publicUrl: string;
  /** How long an unused session stays open, in ms. */
  sessionMs: number;
}

/** Where a sign-in comes from. */
export function originOf(request: Pick<Request, 'app' | 'info' | 'headers' | 'state'>): SignInOrigin {
  const device = request.state[DEVICE_COOKIE] as unknown;
  return {
    address: callerOf(request).address,
    userAgent: String(request.headers['user-agent'] ?? ''),
    device: typeof device === 'string' ? device : undefined,
  };
}

/** Gives the browser its session, and what keeps others from locking it out of the account. */
export function withSession(
  response: ResponseObject,
  { session, device }: Pick<SignedIn, 'session' | 'device'>,
  { publicUrl, sessionMs }: SignInSettings,
): ResponseObject {
  const { name, options } = sessionCookie(publicUrl, sessionMs);
  return response.state(name, session, options).state(DEVICE_COOKIE, device, { ...options, ttl: DEVICE_TTL_MS });
}

/** Takes the session's cookie away. */
export function withoutSession(response: ResponseObject, publicUrl: string): ResponseObject {
  const { name, options } = sessionCookie(publicUrl, 0);
  return response.unstate(name, options);
}
