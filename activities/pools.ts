import { ApplicationFailure } from '@temporalio/activity';
import type { WorkerStore } from '#src/db/pools/worker-store.js';

export interface PoolActivities {
  /**
   * Whether the pool has a live runner, busy or not.
   * `seenAgoMs`: since the last heartbeat of any of its runners, in ms; absent: there was none.
   */
  findRunner(input: { pool: string }): Promise<{ alive: boolean; seenAgoMs?: number }>;
  /** Whether currently no worker executes the test of this run's workflow. */
  isUntaken(input: { runId: string }): Promise<boolean>;
}

/** Activities of the workflow queue that look for runners. */
export function createPoolActivities({
  workers,
  isUntaken,
}: {
  workers: Pick<WorkerStore, 'livePools' | 'countLive' | 'lastHeartbeat'>;
  /** Queries Temporal. */
  isUntaken(runId: string): Promise<boolean>;
}): PoolActivities {
  return {
    isUntaken: ({ runId }) => isUntaken(runId),

    async findRunner({ pool }) {
      if ((await workers.livePools()).some((live) => live.pool === pool)) return { alive: true };
      // Not even this worker: after an outage, the first one to sign in must not declare the others dead.
      if ((await workers.countLive()) === 0)
        throw ApplicationFailure.retryable('No worker has a recent heartbeat, not even this one', 'NoPresence');
      const sign = await workers.lastHeartbeat(pool);
      return { alive: false, ...(sign ? { seenAgoMs: sign.agoMs } : {}) };
    },
  };
}
