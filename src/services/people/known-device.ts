import { createHmac, timingSafeEqual } from 'node:crypto';
import { randomId } from '#src/domain/ids.js';

/*
 * What a browser keeps once it has signed in to an account: guesses of others do not lock it out of that account. It
 * opens nothing by itself.
 */

/** A new one for an account. @param keys the service's secret keys, newest first */
export function newDevice(keys: readonly Buffer[], userId: string): string {
  const id = randomId();
  return `${id}.${macOf(keys[0]!, userId, id)}`;
}

/** The device's id, if the browser has signed in to this account before. @param shown what it keeps */
export function knownDevice(keys: readonly Buffer[], userId: string, shown: string | undefined): string | undefined {
  const [id, mac] = (shown ?? '').split('.');
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
