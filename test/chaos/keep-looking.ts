import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Looks again and again. A look that fails, because a fault has taken the database away, is left out: the next one sees
 * what it missed.
 * @param everyMs between two looks, in ms
 * @returns stops it; resolves when the last look is over
 */
export function keepLooking(everyMs: number, look: () => Promise<void>): () => Promise<void> {
  let going = true;
  const watch = async () => {
    while (going) {
      await look().catch(() => {});
      await sleep(everyMs);
    }
  };
  const watching = watch();
  return () => {
    going = false;
    return watching;
  };
}
