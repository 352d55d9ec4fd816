import type { BucketRule, RateBuckets } from '#src/db/instance/rate-buckets.js';

/** Permits that are not used within this time go back to the bucket, in ms. */
const LEASE_MS = 1000;
/** How much of the present demand one lease covers, in ms. */
const AHEAD_MS = 500;
/** A lease is at most this part of the bucket, so that what idle servers hold is little. */
const LARGEST_PART = 50;
/** An empty bucket is asked again at most so often, in ms. */
const LEAST_PAUSE_MS = 100;

export interface LeasedBucket {
  /**
   * Takes one permit: at once while there are leased ones.
   * @returns undefined, or in how many ms there may be a permit again
   * @throws the driver's error when the database does not answer
   */
  take(): Promise<number | undefined>;
  /** The permit was not needed. */
  giveBack(): void;
  /** Leases in the background, when there is nothing in hand. */
  prepare(): void;
}

/**
 * One server's share of a token bucket in the database: blocks of permits are drawn, ahead of the demand while there is
 * one. All servers together never let through more than the bucket gives.
 * @param rule asked at every draw: limits may change
 */
export function createLeasedBucket(buckets: RateBuckets, id: string, rule: () => BucketRule): LeasedBucket {
  let permits = 0;
  let waiting = 0;
  let drawing: Promise<void> | undefined;
  let emptyUntil = 0;
  /** Demand since the last draw. */
  let taken = 0;
  let drawnAt = performance.now();
  let perMs = 0;
  let lease = 0;
  let expiry: NodeJS.Timeout | undefined;

  const draw = () => (drawing ??= drawNow().finally(() => (drawing = undefined)));

  async function drawNow(): Promise<void> {
    const { perMinute, burst } = rule();
    const now = performance.now();
    // The longer the time since the last draw, the more it says.
    perMs = now - drawnAt > 0 ? taken / (now - drawnAt) : perMs;
    taken = 0;
    drawnAt = now;
    const largest = Math.max(1, Math.floor(burst / LARGEST_PART));
    const wanted = Math.min(largest, Math.max(1, waiting, Math.ceil(perMs * AHEAD_MS)));
    const { granted, left } = await buckets.draw(id, { perMinute, burst }, wanted);
    permits += granted;
    lease = granted;
    if (granted < wanted) {
      const nextMs = ((1 - left) * 60_000) / perMinute;
      emptyUntil = performance.now() + Math.max(LEAST_PAUSE_MS, nextMs);
    }
    clearTimeout(expiry);
    expiry = setTimeout(expire, LEASE_MS).unref();
  }

  function expire(): void {
    const unused = permits;
    permits = 0;
    // Permits that are lost on the way come back as time goes by.
    if (unused > 0) buckets.refund(id, rule(), unused).catch(() => {});
  }

  /** A steady demand never waits: the next block is drawn when half of the last is used. */
  function drawAhead(): void {
    const isSteady = perMs * LEASE_MS >= 2 || lease > 1;
    if (isSteady && permits <= lease / 2 && !drawing && performance.now() >= emptyUntil) draw().catch(() => {});
  }

  return {
    async take() {
      for (;;) {
        if (permits > 0) {
          permits--;
          taken++;
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
    giveBack() {
      permits++;
      taken--;
    },
    prepare() {
      if (permits === 0 && !drawing && performance.now() >= emptyUntil) draw().catch(() => {});
    },
  };
}
