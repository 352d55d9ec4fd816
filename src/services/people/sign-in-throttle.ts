import { createHash } from 'node:crypto';
import QuickLRU from 'quick-lru';
import { networkOf } from '#src/lib/network-of.js';
import type { Collections } from '#src/db/schema/collections.js';
import { createSignInLimitStore } from '#src/db/people/sign-in-limit-store.js';
import { TooManyError } from '#src/domain/errors.js';

const MINUTE_MS = 60_000;
/** Failures per window, and the window in ms. Read docs/decisions/people/sign-in-throttle.md before changing them. */
const LIMITS = {
  /** For one account from one network or device. */
  pair: { points: 5, windowMs: 15 * MINUTE_MS },
  /** From one network, for all accounts. */
  address: { points: 50, windowMs: 15 * MINUTE_MS },
  /** For one account from all unknown networks and devices together. */
  strangers: { points: 20, windowMs: 60 * MINUTE_MS },
} as const;
type Limit = keyof typeof LIMITS;
/** Number of blocked keys that are cached. */
const MAX_BLOCKED = 10_000;

/** An attempt to sign in to an account. */
export interface SignInAttempt {
  /** Normalized; the account need not exist. */
  email: string;
  address: string;
  /** ID of a device that has signed in to this account before. */
  device?: string | undefined;
  /** Whether this address has signed in to this account before. */
  isKnownAddress: boolean;
}

export type SignInThrottle = ReturnType<typeof createSignInThrottle>;

/** Counts in the database, for all servers together. */
export function createSignInThrottle(collections: Pick<Collections, 'signInLimits'>) {
  const limits = createSignInLimitStore(collections);
  /** End of each block by the monotonic clock, in ms: a flood is rejected without database queries. */
  const blocked = new QuickLRU<string, number>({ maxSize: MAX_BLOCKED });

  async function count(limit: Limit, key: string): Promise<void> {
    const blockedMs = (blocked.get(key) ?? 0) - performance.now();
    if (blockedMs > 0) throw tooMany(blockedMs);
    const { points, msLeft } = await limits.add(key, LIMITS[limit].windowMs);
    if (points <= LIMITS[limit].points) return;
    blocked.set(key, performance.now() + msLeft);
    throw tooMany(msLeft);
  }

  return {
    /**
     * Counts an attempt as failed before its password is checked, so that all concurrent guesses count.
     * @throws TooManyError at a limit
     */
    async begin(attempt: SignInAttempt) {
      for (const [limit, key] of keysOf(attempt)) await count(limit, key);
    },
    /** Discounts an attempt that succeeded. */
    async succeeded(attempt: SignInAttempt) {
      for (const [limit, key] of keysOf(attempt)) await (limit === 'pair' ? limits.remove(key) : limits.decrement(key));
    },
    /** Removes expired counters. */
    removeExpired: limits.removeExpired,
  };
}

/** The limits that an attempt counts against. The strictest comes first, so that its rejections do not use up the others. */
function keysOf({ email, address, device, isKnownAddress }: SignInAttempt): [Limit, string][] {
  const network = networkOf(address);
  const of = (limit: Limit, ...parts: string[]): [Limit, string] => [limit, `${limit}:${hashOf(parts)}`];
  if (device !== undefined) return [of('pair', email, 'device', device)];
  return [
    of('pair', email, 'address', network),
    of('address', network),
    ...(isKnownAddress ? [] : [of('strangers', email)]),
  ];
}

function tooMany(ms: number): TooManyError {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  return new TooManyError('Too many failed sign-ins. Try again later.', seconds);
}

/** Hashed for a fixed length, and so as not to store who signs in from where. */
function hashOf(parts: string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
