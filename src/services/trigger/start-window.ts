const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5000;

/**
 * How many starts may be in flight, found by additive increase and multiplicative decrease (AIMD): halved when Temporal
 * reports overload, one more after each round of successes.
 */
export interface StartWindow {
  /** Starts in flight at most; at least 1. */
  size(): number;
  /** How long no start should begin, in ms. */
  pauseMs(): number;
  succeeded(): void;
  /**
   * @param beganAt when the refused start began (`now`): starts of one round lower the window once
   * @returns whether it lowered the window
   */
  overloaded(beganAt: number): boolean;
}

/**
 * @param most the largest size, which is also the first
 * @param now milliseconds that only grow
 */
export function createStartWindow(most: number, now: () => number = () => performance.now()): StartWindow {
  let window = most;
  let loweredAt = -Infinity;
  let pausedUntil = -Infinity;
  let overloadsInRow = 0;
  return {
    size: () => Math.floor(window),
    pauseMs: () => Math.max(0, pausedUntil - now()),
    succeeded() {
      overloadsInRow = 0;
      window = Math.min(most, window + 1 / window);
    },
    overloaded(beganAt) {
      if (beganAt <= loweredAt) return false;
      loweredAt = now();
      window = Math.max(1, Math.floor(window) / 2);
      const pause = Math.min(FIRST_PAUSE_MS * 2 ** overloadsInRow++, LONGEST_PAUSE_MS);
      // Servers that were refused at the same moment do not return at the same moment.
      pausedUntil = loweredAt + pause * (0.5 + Math.random() / 2);
      return true;
    },
  };
}
