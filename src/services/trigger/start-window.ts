const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 5000;

/**
 * Limits concurrent starts by additive increase and multiplicative decrease (AIMD): halved when Temporal reports
 * overload, one more after each round of successes.
 */
export interface StartWindow {
  /** Most concurrent starts; at least 1. */
  size(): number;
  /** How long to pause before the next start, in ms. */
  pauseMs(): number;
  succeeded(): void;
  /**
   * @param beganAt when the rejected start began (`now`): concurrent starts lower the window once
   * @returns whether the window was lowered
   */
  overloaded(beganAt: number): boolean;
}

/**
 * @param max the initial and largest size
 * @param now monotonic clock, in ms
 */
export function createStartWindow(max: number, now: () => number = () => performance.now()): StartWindow {
  let window = max;
  let loweredAt = -Infinity;
  let pausedUntil = -Infinity;
  let overloadsInRow = 0;
  return {
    size: () => Math.floor(window),
    pauseMs: () => Math.max(0, pausedUntil - now()),
    succeeded() {
      overloadsInRow = 0;
      window = Math.min(max, window + 1 / window);
    },
    overloaded(beganAt) {
      if (beganAt <= loweredAt) return false;
      loweredAt = now();
      window = Math.max(1, Math.floor(window) / 2);
      const pause = Math.min(FIRST_PAUSE_MS * 2 ** overloadsInRow++, MAX_PAUSE_MS);
      // Jitter: servers that were rejected together must not retry together.
      pausedUntil = loweredAt + pause * (0.5 + Math.random() / 2);
      return true;
    },
  };
}
