import { WorkflowNotFoundError, type WorkflowExecutionStatusName } from '@temporalio/client';
import type { Temporal } from './connect.js';
import { withinDeadline } from './deadline.js';

const DESCRIBE_DEADLINE_MS = 5000;

/**
 * The state of a run's workflow; undefined when Temporal does not know it (any more).
 * @throws TemporalDeadlineError or the SDK's errors
 */
export async function workflowStatus(
  temporal: Temporal,
  runId: string,
): Promise<WorkflowExecutionStatusName | undefined> {
  try {
    const description = await withinDeadline(temporal.connection, DESCRIBE_DEADLINE_MS, () =>
      temporal.client.workflow.getHandle(runId).describe(),
    );
    return description.status.name;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  }
}

/** Whether a workflow with this status may go on. */
export function isOpen(status: WorkflowExecutionStatusName | undefined): boolean {
  return status === 'RUNNING' || status === 'PAUSED';
}
