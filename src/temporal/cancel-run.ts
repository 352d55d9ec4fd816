import { WorkflowNotFoundError } from '@temporalio/client';
import type { InstallationTemporal } from './connect.js';
import { withinDeadline } from './deadline.js';
import { describeRun } from './describe-run.js';

const CANCEL_DEADLINE_MS = 5000;

/**
 * Asks the workflow of a run to stop; nothing happens when it is over or was never there.
 * @returns whether there was an open workflow to ask
 * @throws TemporalDeadlineError or the SDK's errors; the request may then be repeated
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
