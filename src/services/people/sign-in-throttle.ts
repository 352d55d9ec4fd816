import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { RateLimiterMongo, RateLimiterRes } from 'rate-limiter-flexible';
import type { Collections } from '../../db/collections.js';
import { TooManyError } from '../../domain/errors.js';

const MINUTE_S = 60;
/** Failures in a window, and the window in seconds. Read docs/decisions/sign-in-throttle.md before changing them. */
const LIMITS = {
  /** Of one account from one place. */
  pair: { points: 5, duration: 15 * MINUTE_S },
  /** From one address, over all accounts. */
  address: { points: 50, duration: 15 * MINUTE_S },
  /** Of one account from all places that never signed in to it, together. */
  strangers: { points: 20, duration: 60 * MINUTE_S },
} as const;
type Limit = keyof typeof LIMITS;

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
export function createSignInThrottle({ signInLimits }: Pick<Collections, 'signInLimits'>): SignInThrottle {
  const limiter = (name: Limit) =>
    new RateLimiterMongo({
      storeClient: { collection: () => signInLimits },
      disableIndexesCreation: true,
      keyPrefix: name,
      ...LIMITS[name],
      // A flood is refused without asking the database each time.
      inMemoryBlockOnConsumed: LIMITS[name].points + 1,
    });
  const limiters = { pair: limiter('pair'), address: limiter('address'), strangers: limiter('strangers') };

  return {
    async begin(attempt) {
      for (const [limit, key] of keysOf(attempt)) await consume(limiters[limit], key);
    },
    async succeeded(attempt) {
      for (const [limit, key] of keysOf(attempt)) {
        if (limit === 'pair') await limiters[limit].delete(key);
        else await limiters[limit].reward(key, 1);
      }
    },
    removeExpired: async (now) => void (await signInLimits.deleteMany({ expire: { $lte: now } })),
  };
}

/** What an attempt counts for. The strictest first: what it refuses does not use the others up. */
function keysOf({ email, address, device, isKnownAddress }: SignInAttempt): [Limit, string][] {
  const network = networkOf(address);
  if (device !== undefined) return [['pair', keyOf(email, 'device', device)]];
  return [
    ['pair', keyOf(email, 'address', network)],
    ['address', keyOf(network)],
    ...(isKnownAddress ? [] : [['strangers', keyOf(email)] as [Limit, string]]),
  ];
}

async function consume(limiter: RateLimiterMongo, key: string): Promise<void> {
  try {
    await limiter.consume(key, 1);
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    const seconds = Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
    throw new TooManyError('Too many failed sign-ins. Wait, then try again.', seconds);
  }
}

/** Of fixed length, and no list of who signs in from where. */
function keyOf(...parts: string[]): string {
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
