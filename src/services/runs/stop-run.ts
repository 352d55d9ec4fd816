import type { TargetKind } from '#src/domain/targets/target-kind.js';
import type { RunQueries } from '#src/db/runs/read-runs.js';
import type { RunStatusStore } from '#src/db/runs/run-status-store.js';
import { UnavailableError } from '#src/domain/errors.js';
import { isTerminal } from '#src/domain/runs/run-status.js';
import type { Run } from '#src/domain/runs/run.js';
import type { Audit, Caller } from '#src/services/people/audit-log.js';
import { findRun } from './find-run.js';

export interface StopRunDeps {
  queries: Pick<RunQueries, 'find'>;
  statuses: Pick<RunStatusStore, 'stopUnbegun'>;
  /** Cancels the run's workflow; false when none is open. Throws when Temporal does not respond. */
  cancel(runId: string): Promise<boolean>;
  audit: Audit;
}

const RETRY_AFTER_SECONDS = 5;

/**
 * Stops a run. A pending run is `stopped` at once; for one that has begun, the workflow is canceled. A run that has ended
 * is not changed.
 * @returns the run afterwards
 * @throws NotFoundError, UnavailableError (Temporal is required and does not respond)
 */
export function createRunStopper({ queries, statuses, cancel, audit }: StopRunDeps) {
  /** A workflow that starts later finds the record ended; one that has already read the record is canceled. */
  async function stopPending(runId: string): Promise<boolean> {
    if (!(await statuses.stopUnbegun(runId))) return false;
    // Without Temporal, no workflow can have begun; reconciliation ends any that starts late.
    await cancel(runId).catch(() => false);
    return true;
  }

  return async (caller: Caller, kind: TargetKind, runId: string): Promise<Run> => {
    const run = await findRun(queries, kind, runId);
    if (isTerminal(run.status)) return run;
    if (!run.dispatch || !(await stopPending(runId))) {
      const isCanceled = await cancel(runId).catch((cause: unknown) => {
        throw new UnavailableError('Temporal is not responding. Try again.', RETRY_AFTER_SECONDS, {
          cause,
          dependency: 'temporal',
        });
      });
      // A test of a suite that has not been started has no workflow.
      if (!isCanceled) await statuses.stopUnbegun(runId);
    }
    await audit.note(caller, `${kind}Run.stop`, {
      projectId: run.projectId,
      target: { type: `${kind}Run`, id: runId, name: run.targetName },
    });
    return findRun(queries, kind, runId);
  };
}
