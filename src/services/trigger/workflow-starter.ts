import { WORKFLOW_ID_TAKEN } from '#src/domain/runs/reconciliation.js';
import type { RunStatusStore } from '#src/db/runs/run-status-store.js';
import { engineTroubleOf } from '#src/temporal/engine-trouble.js';
import { startRun, WorkflowIdTakenError, type StartableRun, type StartLimits } from '#src/temporal/start-run.js';
import type { TemporalBinding } from '#src/services/instance/temporal-binding.js';

export interface WorkflowStarterDeps {
  binding: TemporalBinding;
  statuses: Pick<RunStatusStore, 'endRun'>;
  limits: StartLimits;
  /** The namespace lacks Runhook's search attributes. */
  onUnlisted?(): void;
}

/**
 * Starts the workflow of a run in the Temporal that the database is bound to. Idempotent. A run whose workflow ID another
 * installation has used ends as `error`.
 * @throws WrongTemporalError, TemporalDeadlineError, errors of the SDK or the driver; the start can then be repeated
 */
export function createWorkflowStarter({
  binding,
  statuses,
  limits,
  onUnlisted,
}: WorkflowStarterDeps): (run: StartableRun) => Promise<void> {
  return async (run) => {
    try {
      const { isListed } = await startRun(await binding.use(), run, limits);
      if (!isListed) onUnlisted?.();
    } catch (error) {
      if (error instanceof WorkflowIdTakenError) {
        await statuses.endRun(run._id, WORKFLOW_ID_TAKEN);
        return;
      }
      if (engineTroubleOf(error) === 'unavailable') binding.recheck();
      throw error;
    }
  };
}
