import { createHmac, timingSafeEqual } from 'node:crypto';
import { randomId } from '#src/domain/ids.js';

/*
 * A cookie that a browser keeps after signing in to an account: failed sign-ins of others do not lock it out of that
 * account. The cookie does not authenticate.
 */

/** Creates the cookie for an account. @param keys secret keys, newest first */
export function newDevice(keys: readonly Buffer[], userId: string): string {
  const id = randomId();
  return `${id}.${macOf(keys[0]!, userId, id)}`;
}

/** @returns the device ID, if the cookie is valid for this account */
export function knownDevice(keys: readonly Buffer[], userId: string, cookie: string | undefined): string | undefined {
  const [id, mac] = (cookie ?? '').split('.');
  if (!id || !mac) return undefined;
  return keys.some((key) => isSame(macOf(key, userId, id), mac)) ? id : undefined;
}

function macOf(key: Buffer, userId: string, id: string): string {
  return createHmac('sha256', key)
    .update(JSON.stringify(['runhook device', userId, id]))
    .digest('base64url');
}

function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
