/** Failures in a row, without a success, that mean an outage. */
const ROUNDS = 3;

/** Tells an outage of Temporal from single starts that fail. */
export interface EngineOutage {
  /** Since when Temporal has not taken starts; undefined while it does. */
  since(): Date | undefined;
  /** By how much to divide the starts in flight: doubled with each failure in a row. */
  caution(): number;
  /** Ends an outage. */
  succeeded(): void;
  /**
   * A start failed because Temporal did not answer. An outage begins with the third failure in a row, each of a start
   * that began after the one before had failed; failures of one run only may be that run's own.
   * @param beganAt when the start began (`now`)
   * @returns whether an outage began with it
   */
  failed(runId: string, beganAt: number): boolean;
}

/** @param now milliseconds that only grow */
export function createEngineOutage(now: () => number = () => performance.now()): EngineOutage {
  let down: Date | undefined;
  let rounds = 0;
  let countedAt = -Infinity;
  const failedRuns = new Set<string>();
  return {
    since: () => down,
    caution: () => 2 ** Math.min(rounds, ROUNDS),
    succeeded() {
      down = undefined;
      rounds = 0;
      failedRuns.clear();
    },
    failed(runId, beganAt) {
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
