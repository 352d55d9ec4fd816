import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import QuickLRU from 'quick-lru';
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { TargetNotFoundError, TooManyError } from '#src/domain/errors.js';
import { networkOf } from '#src/lib/network-of.js';
import { hashOfToken } from '#src/domain/tokens/token-format.js';
import { SERVICE_RESPONSE_MS, withinResponseTime } from '#src/services/within-response-time.js';

/** Number of valid credentials that are cached. */
const MAX_CACHED = 10_000;
/** Most rejections that are delayed at a time; further ones are sent at once, and their connections closed. */
const MAX_DELAYED = 500;

export type CredentialThrottle = ReturnType<typeof createCredentialThrottle>;

export interface CredentialThrottleOptions {
  /** Limit per IP address. */
  refusalsPerMinute: number;
  /** Looks up whether a credential exists. */
  isKnown(credential: string, expiresAt: number): Promise<boolean>;
  /** Minimum delay of a late rejection since its request arrived, in ms; at most twice that. */
  delayMs?: number;
}

export function createCredentialThrottle({ refusalsPerMinute, isKnown, delayMs = 1000 }: CredentialThrottleOptions) {
  const refusals = new RateLimiterMemory({ points: refusalsPerMinute, duration: 60 });
  const valid = new QuickLRU<string, true>({ maxSize: MAX_CACHED });
  const stopped = new AbortController();
  setMaxListeners(MAX_DELAYED, stopped.signal);
  let delayed = 0;

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

  /** Delays a rejection, which also hides how long its check took. @returns false: too many are delayed already */
  async function delay(arrivedAt: number): Promise<boolean> {
    if (delayed >= MAX_DELAYED) return false;
    delayed++;
    // Jitter: clients that wait for their responses must not all retry at once.
    const totalMs = delayMs * (1 + Math.random());
    const remainingMs = Math.max(0, arrivedAt + totalMs - performance.now());
    await sleep(remainingMs, undefined, { signal: stopped.signal }).catch(() => {});
    delayed--;
    return true;
  }

  /** Counts a rejection. @throws TooManyError, late, when it exceeds the limit */
  async function countRefusal(key: string, arrivedAt: number): Promise<void> {
    const result = await refusals.consume(key).catch((over: unknown) => over as RateLimiterRes | Error);
    if (result instanceof Error) throw result;
    if (result.consumedPoints > refusalsPerMinute) throw tooMany(result, !(await delay(arrivedAt)));
  }

  return {
    /**
     * Checks a credential. After too many rejections of an IP address, its unknown credentials are rejected late with
     * 429 instead of being checked. Valid credentials are always accepted without delay.
     * @param check throws TargetNotFoundError to reject
     * @param isRefusal whether a result of `check` is a rejection
     * @throws TooManyError instead of a rejection beyond the limit; UnavailableError; else the error of `check`
     */
    async run<T>(
      { address, credential }: { address: string; credential: string },
      check: () => Promise<T>,
      isRefusal: (result: T) => boolean = () => false,
    ) {
      const arrivedAt = performance.now();
      const key = networkOf(address);
      const hash = hashOfToken(credential);
      const count = await refusals.get(key);
      const isSuspect = count !== null && count.consumedPoints >= refusalsPerMinute && !valid.has(hash);
      if (isSuspect && !(await withinResponseTime(SERVICE_RESPONSE_MS, (expiresAt) => isKnown(credential, expiresAt))))
        // Returns if the minute of the limit has just passed; the check below then rejects the credential.
        await countRefusal(key, arrivedAt);
      try {
        const result = await check();
        if (isRefusal(result)) await countRefusal(key, arrivedAt);
        else valid.set(hash, true);
        return result;
      } catch (error) {
        if (error instanceof TargetNotFoundError) await countRefusal(key, arrivedAt);
        throw error;
      }
    },
    /** Sends all delayed rejections. */
    stop: () => stopped.abort(),
  };
}
