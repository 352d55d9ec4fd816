import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { isIPv6 } from 'node:net';
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { TargetNotFoundError, TooManyError } from '../../domain/errors.js';
import { hashOfToken } from '../../domain/token-format.js';
import { createRecentMap } from './recent-map.js';
import { createSlowLane } from './slow-lane.js';

/** Credentials that were good here and are kept in mind. */
const REMEMBERED = 10_000;
/** Checks of unknown credentials at the same time, and waiting, from addresses with too many refusals. */
const LANE = { width: 2, queue: 200, waitMs: 1000 };
/** Refusals that are held back at the same time; more are answered at once and hung up on. */
const HELD = 500;

export interface RefusalGuard {
  /**
   * Checks a credential. From an address with too many refusals a credential that was not good here before waits its
   * turn, and its refusal is a 429 that comes late. Good ones are checked at once, and always let in.
   * @param check throws TargetNotFoundError for a refusal
   * @param isRefusal whether what it resolves with is one
   * @throws TooManyError in place of a refusal beyond the limit, else what `check` throws
   */
  run<T>(
    caller: { address: string; credential: string },
    check: () => Promise<T>,
    isRefusal?: (result: T) => boolean,
  ): Promise<T>;
  /** Sends the refusals that are held back. */
  stop(): void;
}

export interface RefusalGuardOptions {
  /** Of one address. */
  refusalsPerMinute: number;
  /** From the arrival of a request to its late refusal at least, in ms; at most twice that. */
  delayMs?: number;
}

export function createRefusalGuard({ refusalsPerMinute, delayMs = 1000 }: RefusalGuardOptions): RefusalGuard {
  const refusals = new RateLimiterMemory({ points: refusalsPerMinute, duration: 60 });
  const good = createRecentMap<true>(REMEMBERED);
  const lane = createSlowLane(LANE);
  const stopped = new AbortController();
  setMaxListeners(HELD, stopped.signal);
  let held = 0;

  function tooMany({ msBeforeNext }: RateLimiterRes, hangUp: boolean): TooManyError {
    const seconds = Math.max(1, Math.ceil(msBeforeNext / 1000));
    const error = new TooManyError('Too many calls of this address were refused. Try again later.', seconds, {
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
      const isSuspect = before !== null && before.consumedPoints >= refusalsPerMinute && !good.peek(hash);
      const leave = isSuspect ? await lane.enter() : () => {};
      if (!leave) throw tooMany(before!, true);
      try {
        const result = await check().finally(leave);
        if (isRefusal(result)) await countRefusal(from, arrivedAt);
        else good.get(hash, () => true);
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
