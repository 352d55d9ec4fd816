import { proxyActivities } from '@temporalio/workflow';
import type { ReconcileActivities, ReconcileResult } from '../activities/reconcile-runs.js';

const { reconcileOpenRuns } = proxyActivities<ReconcileActivities>({
  // Long enough for a Temporal that has lost a hundred thousand runs; a usual pass takes a second.
  startToCloseTimeout: '30m',
  heartbeatTimeout: '1m',
  retry: { maximumAttempts: 3 },
});

/** Mends records that are open although their workflow is not. Started by a Temporal Schedule, every minute. */
export async function reconcileRuns(): Promise<ReconcileResult> {
  return await reconcileOpenRuns();
}
