import { WorkflowNotFoundError, type WorkflowExecutionDescription } from '@temporalio/client';
import type { WorkflowState } from '#src/domain/runs/reconciliation.js';
import { INSTALLATION_MEMO } from '#workflows/messages.js';
import type { InstallationTemporal } from './connect.js';
import { withinDeadline } from './deadline.js';

const CALL_DEADLINE_MS = 5000;
/** PENDING_ACTIVITY_STATE_SCHEDULED: no worker has it; it is in its queue, or about to be put there again. */
const WAITING = 1;

/**
 * The state of a run's workflow, with its result when it has completed; undefined when Temporal does not know it (any
 * more), or when it belongs to another installation.
 * @throws TemporalDeadlineError or the SDK's errors
 */
export async function workflowState(temporal: InstallationTemporal, runId: string): Promise<WorkflowState | undefined> {
  const description = await describeRun(temporal, runId);
  if (!description) return undefined;
  const { status, closeTime } = description;
  const state: WorkflowState = { status: status.name, closedAt: closeTime };
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
export async function isClosed(temporal: InstallationTemporal, runId: string): Promise<boolean> {
  const description = await describeRun(temporal, runId);
  return description !== undefined && !['RUNNING', 'PAUSED'].includes(description.status.name);
}

/**
 * Whether the workflow of a run waits for a worker that takes its activity; false when it is over, or waits for nothing.
 * @throws TemporalDeadlineError or the SDK's errors
 */
export async function isUntaken(temporal: InstallationTemporal, runId: string): Promise<boolean> {
  const pending = (await describeRun(temporal, runId))?.raw.pendingActivities ?? [];
  return pending.length > 0 && pending.every(({ state }) => state === WAITING);
}

/**
 * The workflow of a run; undefined: this installation has none of that ID.
 * @throws TemporalDeadlineError or the SDK's errors
 */
export async function describeRun(
  temporal: InstallationTemporal,
  runId: string,
): Promise<WorkflowExecutionDescription | undefined> {
  try {
    const description = await withinDeadline(temporal.connection, CALL_DEADLINE_MS, () =>
      temporal.client.workflow.getHandle(runId).describe(),
    );
    return isOwn(temporal, description.memo?.[INSTALLATION_MEMO]) ? description : undefined;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  }
}

/** Versions without installation ids wrote no memo. */
function isOwn({ installationId, hasLegacyNames }: InstallationTemporal, owner: unknown): boolean {
  return owner === undefined ? hasLegacyNames : owner === installationId;
}
