import { WorkflowNotFoundError } from '@temporalio/client';
import type { Temporal } from './connect.js';
import { withinDeadline } from './deadline.js';

const CANCEL_DEADLINE_MS = 5000;

/**
 * Asks the workflow of a run to stop; nothing happens when it is over or was never there.
 * @returns whether there was an open workflow to ask
 * @throws TemporalDeadlineError or the SDK's errors; the request may then be repeated
 */
export async function cancelRun(temporal: Temporal, runId: string): Promise<boolean> {
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
