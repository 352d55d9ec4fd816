import { proxyActivities } from '@temporalio/workflow';
import type { ReconcileActivities } from '../activities/reconcile-runs.js';

const { reconcileOpenRuns } = proxyActivities<ReconcileActivities>({
  startToCloseTimeout: '5m',
  heartbeatTimeout: '30s',
  retry: { maximumAttempts: 3 },
});

/** Mends records that are open although their workflow is not. Started by a Temporal Schedule, every minute. */
export async function reconcileRuns(): Promise<{ mended: number }> {
  return await reconcileOpenRuns();
}
