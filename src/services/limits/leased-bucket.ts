import type { BucketRule, RateBuckets } from '#src/db/instance/rate-buckets.js';

/** Permits that are unused after this time are refunded, in ms. */
const LEASE_MS = 1000;
/** A lease covers the current demand for this time, in ms. */
const AHEAD_MS = 500;
/** A lease is at most 1/50 of the bucket, so that idle servers hold few permits. */
const MAX_LEASE_DIVISOR = 50;
/** Minimum interval between two draws from an empty bucket, in ms. */
const MIN_PAUSE_MS = 100;

export type LeasedBucket = ReturnType<typeof createLeasedBucket>;

/**
 * One server's share of a token bucket in the database: it draws blocks of permits, ahead of a steady demand. All
 * servers together never exceed the bucket's rate.
 * @param rule read at every draw, because limits may change
 */
export function createLeasedBucket(buckets: RateBuckets, id: string, rule: () => BucketRule) {
  let permits = 0;
  let waiting = 0;
  let drawing: Promise<void> | undefined;
  let emptyUntil = 0;
  /** Permits used since the last draw. */
  let used = 0;
  let drawnAt = performance.now();
  let perMs = 0;
  let lease = 0;
  let expiry: NodeJS.Timeout | undefined;

  const draw = () => (drawing ??= drawNow().finally(() => (drawing = undefined)));

  async function drawNow(): Promise<void> {
    const { perMinute, burst } = rule();
    const now = performance.now();
    perMs = now - drawnAt > 0 ? used / (now - drawnAt) : perMs;
    used = 0;
    drawnAt = now;
    const largest = Math.max(1, Math.floor(burst / MAX_LEASE_DIVISOR));
    const requested = Math.min(largest, Math.max(1, waiting, Math.ceil(perMs * AHEAD_MS)));
    const { granted, left } = await buckets.draw(id, { perMinute, burst }, requested);
    permits += granted;
    lease = granted;
    if (granted < requested) {
      const nextMs = ((1 - left) * 60_000) / perMinute;
      emptyUntil = performance.now() + Math.max(MIN_PAUSE_MS, nextMs);
    }
    clearTimeout(expiry);
    expiry = setTimeout(expire, LEASE_MS).unref();
  }

  function expire(): void {
    const unused = permits;
    permits = 0;
    // A failed refund is made up for by the refill.
    if (unused > 0) buckets.refund(id, rule(), unused).catch(() => {});
  }

  /** Draws the next block when half of the last is used, so that a steady demand never waits. */
  function drawAhead(): void {
    const isSteady = perMs * LEASE_MS >= 2 || lease > 1;
    if (isSteady && permits <= lease / 2 && !drawing && performance.now() >= emptyUntil) draw().catch(() => {});
  }

  return {
    /**
     * Acquires one permit, without a query while leased ones are left.
     * @returns undefined; without a permit, after how many ms there may be one
     * @throws the driver's error when the database does not respond
     */
    async acquire() {
      for (;;) {
        if (permits > 0) {
          permits--;
          used++;
          drawAhead();
          return undefined;
        }
        const emptyMs = emptyUntil - performance.now();
        if (emptyMs > 0) return emptyMs;
        waiting++;
        try {
          await draw();
        } finally {
          waiting--;
        }
      }
    },
    /** Returns a permit that was not needed. */
    refund() {
      permits++;
      used--;
    },
    /** Draws permits in the background if none are left. */
    prepare() {
      if (permits === 0 && !drawing && performance.now() >= emptyUntil) draw().catch(() => {});
    },
  };
}
