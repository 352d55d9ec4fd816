import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Repeats a check. Failed checks, because a fault has made the database unavailable, are skipped: the next one sees
 * what it missed.
 * @param everyMs interval, in ms
 * @returns a function that stops it; resolves when the last check is over
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
