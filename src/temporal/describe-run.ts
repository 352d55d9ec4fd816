import { WorkflowNotFoundError } from '@temporalio/client';
import type { WorkflowState } from '../domain/reconciliation.js';
import type { Temporal } from './connect.js';
import { withinDeadline } from './deadline.js';

const CALL_DEADLINE_MS = 5000;

/**
 * The state of a run's workflow, with its result when it has completed; undefined when Temporal does not know it (any
 * more).
 * @throws TemporalDeadlineError or the SDK's errors
 */
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

/**
 * Whether the workflow of a run is over. One that Temporal does not know is lost, not over: nobody has stopped it.
 * @throws TemporalDeadlineError or the SDK's errors
 */
export async function isClosed(temporal: Temporal, runId: string): Promise<boolean> {
  const description = await describe(temporal, runId);
  return description !== undefined && !['RUNNING', 'PAUSED'].includes(description.status.name);
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
