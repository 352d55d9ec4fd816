import { proxyActivities } from '@temporalio/workflow';
import type { ReconcileActivities, ReconcileResult } from '#activities/reconcile-runs.js';

const { reconcileOpenRuns } = proxyActivities<ReconcileActivities>({
  // Long enough for a hundred thousand lost runs; a typical pass takes a second.
  startToCloseTimeout: '30m',
  heartbeatTimeout: '1m',
  retry: { maximumAttempts: 3 },
});

/** Repairs open records whose workflow is not open. Started by a Temporal Schedule, every minute. */
export async function reconcileRuns(): Promise<ReconcileResult> {
  return await reconcileOpenRuns();
}
