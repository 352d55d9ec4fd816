import type { Clock } from '#src/domain/clock.js';

const EVERY_MS = 10 * 60_000;

/**
 * Removes expired records in the background of sign-ins, which create them, at most every ten minutes. The database does
 * not expire them itself.
 */
export function createExpiryRemoval(removals: ((now: Date) => Promise<void>)[], clock: Clock): () => void {
  let next = 0;
  return () => {
    const now = clock.now();
    if (now.getTime() < next) return;
    next = now.getTime() + EVERY_MS;
    // A failed removal is repeated with the next one.
    for (const remove of removals) remove(now).catch(() => {});
  };
}
