import { proxyActivities } from '@temporalio/workflow';
import type { RetentionActivities, RetentionResult } from '../activities/remove-expired-runs.js';

const { removeExpired } = proxyActivities<RetentionActivities>({
  // A first pass over a large backlog; what is left at its end is the next one's.
  startToCloseTimeout: '1h',
  heartbeatTimeout: '1m',
  retry: { maximumAttempts: 3 },
});

/** Removes runs that are past their time. Started by a Temporal Schedule, every ten minutes. */
export async function removeExpiredRuns(): Promise<RetentionResult> {
  return await removeExpired();
}
