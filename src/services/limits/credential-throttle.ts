import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { isIPv6 } from 'node:net';
import QuickLRU from 'quick-lru';
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { TargetNotFoundError, TooManyError } from '#src/domain/errors.js';
import { hashOfToken } from '#src/domain/tokens/token-format.js';
import { SERVICE_RESPONSE_MS, withinResponseTime } from '#src/services/within-response-time.js';

/** Credentials that were good here and are kept in mind. */
const REMEMBERED = 10_000;
/** Refusals that are held back at the same time; more are answered at once and hung up on. */
const HELD = 500;

export interface CredentialThrottle {
  /**
   * Checks a credential. From an address with too many refusals, one that was not good on this server before is looked
   * up first: one that is not on record is not checked, and its refusal is a 429 that comes late. Good ones are checked
   * at once and always accepted, whether this server has seen them or not.
   * @param check throws TargetNotFoundError for a refusal
   * @param isRefusal whether what it resolves with is one
   * @throws TooManyError in place of a refusal beyond the limit, UnavailableError, else what `check` throws
   */
  run<T>(
    caller: { address: string; credential: string },
    check: () => Promise<T>,
    isRefusal?: (result: T) => boolean,
  ): Promise<T>;
  /** Sends the refusals that are held back. */
  stop(): void;
}

export interface CredentialThrottleOptions {
  /** Of one address. */
  refusalsPerMinute: number;
  /** Whether a credential is on record. */
  isKnown(credential: string, expiresAt: number): Promise<boolean>;
  /** From the arrival of a request to its late refusal at least, in ms; at most twice that. */
  delayMs?: number;
}

export function createCredentialThrottle({
  refusalsPerMinute,
  isKnown,
  delayMs = 1000,
}: CredentialThrottleOptions): CredentialThrottle {
  const refusals = new RateLimiterMemory({ points: refusalsPerMinute, duration: 60 });
  const good = new QuickLRU<string, true>({ maxSize: REMEMBERED });
  const stopped = new AbortController();
  setMaxListeners(HELD, stopped.signal);
  let held = 0;

  function tooMany({ msBeforeNext }: RateLimiterRes, hangUp: boolean): TooManyError {
    const seconds = Math.max(1, Math.ceil(msBeforeNext / 1000));
    const error = new TooManyError('Too many rejected requests from this IP address. Try again later.', seconds, {
      limit: refusalsPerMinute,
      remaining: 0,
      resetSeconds: seconds,
    });
    error.hangUp = hangUp;
    return error;
  }

  /** Until its time since the arrival has passed: how long the check took is not told. @returns false: there is no room */
  async function holdBack(arrivedAt: number): Promise<boolean> {
    if (held >= HELD) return false;
    held++;
    // Not all to the same time: callers that wait for their answers would come back all at once.
    const lateMs = delayMs * (1 + Math.random());
    const restMs = Math.max(0, arrivedAt + lateMs - performance.now());
    await sleep(restMs, undefined, { signal: stopped.signal }).catch(() => {});
    held--;
    return true;
  }

  /** Counts a refusal. @throws TooManyError, late, when it is one too many */
  async function countRefusal(from: string, arrivedAt: number): Promise<void> {
    const counter = await refusals.consume(from).catch((over: unknown) => over as RateLimiterRes | Error);
    if (counter instanceof Error) throw counter;
    if (counter.consumedPoints > refusalsPerMinute) throw tooMany(counter, !(await holdBack(arrivedAt)));
  }

  return {
    async run({ address, credential }, check, isRefusal = () => false) {
      const arrivedAt = performance.now();
      const from = countedAs(address);
      const hash = hashOfToken(credential);
      const before = await refusals.get(from);
      const isSuspect = before !== null && before.consumedPoints >= refusalsPerMinute && !good.has(hash);
      if (isSuspect && !(await withinResponseTime(SERVICE_RESPONSE_MS, (expiresAt) => isKnown(credential, expiresAt))))
        // When its minute has just passed it is checked, and refused, like any other.
        await countRefusal(from, arrivedAt);
      try {
        const result = await check();
        if (isRefusal(result)) await countRefusal(from, arrivedAt);
        else good.set(hash, true);
        return result;
      } catch (error) {
        if (error instanceof TargetNotFoundError) await countRefusal(from, arrivedAt);
        throw error;
      }
    },
    stop: () => stopped.abort(),
  };
}

/** Who has one address of IPv6 has the other 2^64 of its network. */
function countedAs(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail = ''] = address.split('::');
  const [first, last] = [head, tail].map((part) => part.split(':').filter(Boolean));
  const zeros = Array<string>(8 - first!.length - last!.length).fill('0');
  return `${[...first!, ...zeros, ...last!].slice(0, 4).join(':')}::/64`;
}
