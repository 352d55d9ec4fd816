import type { Clock } from '#src/domain/clock.js';

const EVERY_MS = 10 * 60_000;

/**
 * Removes what has expired now and then, behind whatever calls it: the database does not do it by itself, and who signs
 * in makes what has to go.
 */
export function createExpiryRemoval(removals: ((now: Date) => Promise<void>)[], clock: Clock): () => void {
  let next = 0;
  return () => {
    const now = clock.now();
    if (now.getTime() < next) return;
    next = now.getTime() + EVERY_MS;
    // What fails is done the next time.
    for (const remove of removals) remove(now).catch(() => {});
  };
}
