/** Consecutive failures that count as an outage. */
const ROUNDS = 3;

export type EngineOutage = ReturnType<typeof createEngineOutage>;

/**
 * Distinguishes an outage of Temporal from single failed starts.
 * @param now monotonic clock, in ms
 */
export function createEngineOutage(now: () => number = () => performance.now()) {
  let down: Date | undefined;
  let rounds = 0;
  let countedAt = -Infinity;
  const failedRuns = new Set<string>();
  return {
    /** Since when Temporal is unavailable; undefined while it is available. */
    since: () => down,
    /** Divisor of the concurrent starts: doubled by each consecutive failure. */
    caution: () => 2 ** Math.min(rounds, ROUNDS),
    /** Ends an outage. */
    succeeded() {
      down = undefined;
      rounds = 0;
      failedRuns.clear();
    },
    /**
     * Reports a start to which Temporal did not respond. An outage begins with the third consecutive failure, where
     * each start began after the previous failure. The failures must be of different runs: one run may fail by itself.
     * @param beganAt when the start began (`now`)
     * @returns whether an outage began
     */
    failed(runId: string, beganAt: number) {
      if (failedRuns.size < 2) failedRuns.add(runId);
      if (beganAt <= countedAt) return false;
      countedAt = now();
      rounds++;
      if (down || rounds < ROUNDS || failedRuns.size < 2) return false;
      down = new Date();
      return true;
    },
  };
}
