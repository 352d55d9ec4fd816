import { WorkflowNotFoundError, type WorkflowExecutionDescription } from '@temporalio/client';
import type { WorkflowState } from '#src/domain/runs/reconciliation.js';
import { INSTALLATION_MEMO } from '#workflows/messages.js';
import type { InstallationTemporal } from './connect.js';
import { withinDeadline } from './deadline.js';

const CALL_DEADLINE_MS = 5000;
/** PENDING_ACTIVITY_STATE_SCHEDULED: waiting for a worker, or for its next attempt. */
const SCHEDULED = 1;

/**
 * The state of a run's workflow, with its result if it has completed; undefined when it does not exist or belongs to
 * another installation.
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
 * Whether the workflow of a run is closed. A missing workflow is lost rather than closed.
 * @throws TemporalDeadlineError or the SDK's errors
 */
export async function isClosed(temporal: InstallationTemporal, runId: string): Promise<boolean> {
  const description = await describeRun(temporal, runId);
  return description !== undefined && !['RUNNING', 'PAUSED'].includes(description.status.name);
}

/**
 * Whether all pending activities of a run's workflow wait for a worker; false when there are none.
 * @throws TemporalDeadlineError or the SDK's errors
 */
export async function isUntaken(temporal: InstallationTemporal, runId: string): Promise<boolean> {
  const pending = (await describeRun(temporal, runId))?.raw.pendingActivities ?? [];
  return pending.length > 0 && pending.every(({ state }) => state === SCHEDULED);
}

/**
 * The workflow of a run; undefined when this installation has none with that ID.
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

/** Workflows of versions without installation ids have no memo. */
function isOwn({ installationId, hasLegacyNames }: InstallationTemporal, owner: unknown): boolean {
  return owner === undefined ? hasLegacyNames : owner === installationId;
}
