const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 5000;

export type StartWindow = ReturnType<typeof createStartWindow>;

/**
 * Limits concurrent starts by additive increase and multiplicative decrease (AIMD): halved when Temporal reports
 * overload, one more after each round of successes.
 * @param max the initial and largest size
 * @param now monotonic clock, in ms
 */
export function createStartWindow(max: number, now: () => number = () => performance.now()) {
  let window = max;
  let loweredAt = -Infinity;
  let pausedUntil = -Infinity;
  let overloadsInRow = 0;
  return {
    /** Most concurrent starts; at least 1. */
    size: () => Math.floor(window),
    /** How long to pause before the next start, in ms. */
    pauseMs: () => Math.max(0, pausedUntil - now()),
    succeeded() {
      overloadsInRow = 0;
      window = Math.min(max, window + 1 / window);
    },
    /**
     * @param beganAt when the rejected start began (`now`): concurrent starts lower the window once
     * @returns whether the window was lowered
     */
    overloaded(beganAt: number) {
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
