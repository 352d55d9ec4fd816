import { WorkflowNotFoundError } from '@temporalio/client';
import type { Temporal } from './connect.js';
import { withinDeadline } from './deadline.js';

const CANCEL_DEADLINE_MS = 5000;

/**
 * Asks the workflow of a run to stop; nothing happens when it is over or was never there.
 * @throws TemporalDeadlineError or the SDK's errors; the request may then be repeated
 */
export async function cancelRun(temporal: Temporal, runId: string): Promise<void> {
  try {
    await withinDeadline(temporal.connection, CANCEL_DEADLINE_MS, () =>
      temporal.client.workflow.getHandle(runId).cancel(),
    );
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}
