import { proxyActivities } from '@temporalio/workflow';
import type { RetentionActivities, RetentionResult } from '#activities/remove-expired-runs.js';

const { removeExpired } = proxyActivities<RetentionActivities>({
  // For a first pass over a large backlog; the next pass continues.
  startToCloseTimeout: '1h',
  heartbeatTimeout: '1m',
  retry: { maximumAttempts: 3 },
});

/** Deletes expired runs. Started by a Temporal Schedule, every ten minutes. */
export async function removeExpiredRuns(): Promise<RetentionResult> {
  return await removeExpired();
}
