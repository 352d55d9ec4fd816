import type { Request, ResponseObject } from '@hapi/hapi';
import type { SignedIn, SignInOrigin } from '#src/services/people/open-session.js';
import { callerOf } from '#src/server/http/route-access.js';
import { sessionCookie } from './session-cookie.js';

const DEVICE_COOKIE = 'runhook_device';
const DEVICE_TTL_MS = 365 * 24 * 3_600_000;

/** Password hashes are queued: two are computed at a time, and each occupies a core. */
export const PASSWORD_RESPONSE_MS = 15_000;

/** Settings for sign-ins. */
export interface SignInSettings {
  publicUrl: string;
  /** How long an unused session stays open, in ms. */
  sessionMs: number;
}

/** The client of a sign-in. */
export function originOf(request: Pick<Request, 'app' | 'info' | 'headers' | 'state'>): SignInOrigin {
  const device = request.state[DEVICE_COOKIE] as unknown;
  return {
    address: callerOf(request).address,
    userAgent: String(request.headers['user-agent'] ?? ''),
    device: typeof device === 'string' ? device : undefined,
  };
}

/** Sets the session cookie and the device cookie (see known-device.ts). */
export function withSession(
  response: ResponseObject,
  { session, device }: Pick<SignedIn, 'session' | 'device'>,
  { publicUrl, sessionMs }: SignInSettings,
): ResponseObject {
  const { name, options } = sessionCookie(publicUrl, sessionMs);
  return response.state(name, session, options).state(DEVICE_COOKIE, device, { ...options, ttl: DEVICE_TTL_MS });
}

/** Deletes the session cookie. */
export function withoutSession(response: ResponseObject, publicUrl: string): ResponseObject {
  const { name, options } = sessionCookie(publicUrl, 0);
  return response.unstate(name, options);
}
