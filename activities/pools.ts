import { ApplicationFailure } from '@temporalio/activity';
import type { WorkerStore } from '../src/db/workers.js';

export interface PoolActivities {
  /**
   * Whether the pool has a live runner, busy or not.
   * `seenAgoMs`: since the last sign of any of its runners, in ms; absent: none was ever seen.
   */
  findRunner(input: { pool: string }): Promise<{ alive: boolean; seenAgoMs?: number }>;
  /** Whether no worker has the test of this run's workflow at the moment. */
  isUntaken(input: { runId: string }): Promise<boolean>;
}

/** Activities of the workflow queue that look for runners. */
export function createPoolActivities({
  workers,
  isUntaken,
}: {
  workers: Pick<WorkerStore, 'livePools' | 'countLive' | 'lastSign'>;
  /** Asks Temporal. */
  isUntaken(runId: string): Promise<boolean>;
}): PoolActivities {
  return {
    isUntaken: ({ runId }) => isUntaken(runId),

    async findRunner({ pool }) {
      if ((await workers.livePools()).some((one) => one.pool === pool)) return { alive: true };
      // Not even this worker: the database was away, and whoever signs first must not declare the others dead.
      if ((await workers.countLive()) === 0)
        throw ApplicationFailure.retryable('No worker shows its presence, not even this one', 'NoPresence');
      const sign = await workers.lastSign(pool);
      return { alive: false, ...(sign ? { seenAgoMs: sign.agoMs } : {}) };
    },
  };
}
