import { WorkflowNotFoundError, type WorkflowExecutionStatusName } from '@temporalio/client';
import type { WorkflowState } from '../domain/reconciliation.js';
import type { Temporal } from './connect.js';
import { withinDeadline } from './deadline.js';

const CALL_DEADLINE_MS = 5000;

/**
 * The state of a run's workflow; undefined when Temporal does not know it (any more).
 * @throws TemporalDeadlineError or the SDK's errors
 */
export async function workflowStatus(
  temporal: Temporal,
  runId: string,
): Promise<WorkflowExecutionStatusName | undefined> {
  return (await describe(temporal, runId))?.status.name;
}

/** The same, with the result of one that has completed. */
export async function workflowState(temporal: Temporal, runId: string): Promise<WorkflowState | undefined> {
  const description = await describe(temporal, runId);
  if (!description) return undefined;
  const { status, closeTime } = description;
  const state: WorkflowState = { status: status.name, ...(closeTime ? { closedAt: closeTime } : {}) };
  if (status.name !== 'COMPLETED') return state;
  const result = await withinDeadline(temporal.connection, CALL_DEADLINE_MS, () =>
    temporal.client.workflow.getHandle(runId, description.runId).result(),
  );
  return { ...state, result };
}

/** Whether a workflow with this status may go on. */
export function isOpen(status: WorkflowExecutionStatusName | undefined): boolean {
  return status === 'RUNNING' || status === 'PAUSED';
}

async function describe(temporal: Temporal, runId: string) {
  try {
    return await withinDeadline(temporal.connection, CALL_DEADLINE_MS, () =>
      temporal.client.workflow.getHandle(runId).describe(),
    );
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  }
}
