import { WorkflowNotFoundError } from '@temporalio/client';
import type { InstallationTemporal } from './connect.js';
import { withinDeadline } from './deadline.js';
import { describeRun } from './describe-run.js';

const CANCEL_DEADLINE_MS = 5000;

/**
 * Cancels the workflow of a run. Safe to repeat.
 * @returns false when the workflow is closed or does not exist
 * @throws TemporalDeadlineError or the SDK's errors
 */
export async function cancelRun(temporal: InstallationTemporal, runId: string): Promise<boolean> {
  if (!(await describeRun(temporal, runId))) return false;
  try {
    await withinDeadline(temporal.connection, CANCEL_DEADLINE_MS, () =>
      temporal.client.workflow.getHandle(runId).cancel(),
    );
    return true;
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
    return false;
  }
}
