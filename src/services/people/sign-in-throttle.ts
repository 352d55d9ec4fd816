import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import QuickLRU from 'quick-lru';
import type { Collections } from '#src/db/schema/collections.js';
import { createSignInLimitStore } from '#src/db/people/sign-in-limit-store.js';
import { TooManyError } from '#src/domain/errors.js';

const MINUTE_MS = 60_000;
/** Failures in a window, and the window in ms. Read docs/decisions/people/sign-in-throttle.md before changing them. */
const LIMITS = {
  /** Of one account from one place. */
  pair: { points: 5, windowMs: 15 * MINUTE_MS },
  /** From one address, over all accounts. */
  address: { points: 50, windowMs: 15 * MINUTE_MS },
  /** Of one account from all places that never signed in to it, together. */
  strangers: { points: 20, windowMs: 60 * MINUTE_MS },
} as const;
type Limit = keyof typeof LIMITS;
/** Refused from memory. */
const MOST_BLOCKED = 10_000;

/** Who tries to sign in, to what. */
export interface SignInAttempt {
  /** As it is stored; of an account that need not exist. */
  email: string;
  address: string;
  /** Of a browser that has signed in to this account before. */
  device?: string | undefined;
  /** Whether this address has signed in to this account before. */
  isKnownAddress: boolean;
}

export interface SignInThrottle {
  /**
   * Counts an attempt as failed, before its password is looked at: guesses at the same time count all.
   * @throws TooManyError when there were too many
   */
  begin(attempt: SignInAttempt): Promise<void>;
  /** It was right: it does not count. */
  succeeded(attempt: SignInAttempt): Promise<void>;
  /** Removes what counts no longer. */
  removeExpired(now: Date): Promise<void>;
}

/** Counts in the database: right over all servers. */
export function createSignInThrottle(collections: Pick<Collections, 'signInLimits'>): SignInThrottle {
  const limits = createSignInLimitStore(collections);
  /** Until when by the monotonic clock, in ms: a flood is refused without asking the database each time. */
  const blocked = new QuickLRU<string, number>({ maxSize: MOST_BLOCKED });

  async function count(limit: Limit, key: string): Promise<void> {
    const blockedMs = (blocked.get(key) ?? 0) - performance.now();
    if (blockedMs > 0) throw tooMany(blockedMs);
    const { points, msLeft } = await limits.add(key, LIMITS[limit].windowMs);
    if (points <= LIMITS[limit].points) return;
    blocked.set(key, performance.now() + msLeft);
    throw tooMany(msLeft);
  }

  return {
    async begin(attempt) {
      for (const [limit, key] of keysOf(attempt)) await count(limit, key);
    },
    async succeeded(attempt) {
      for (const [limit, key] of keysOf(attempt)) await (limit === 'pair' ? limits.remove(key) : limits.decrement(key));
    },
    removeExpired: limits.removeExpired,
  };
}

/** What an attempt counts for. The strictest first: what it refuses does not use the others up. */
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

/** Of fixed length, and no list of who signs in from where. */
function hashOf(parts: string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** Whoever has one IPv6 address has the other 2^64 of its network. */
function networkOf(address: string): string {
  if (!isIPv6(address) || address.startsWith('::ffff:')) return address;
  const [head = '', tail] = address.split('::');
  const before = head.split(':').filter(Boolean);
  const after = (tail ?? '').split(':').filter(Boolean);
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  return [...before, ...Array<string>(zeros).fill('0'), ...after].slice(0, 4).join(':');
}
