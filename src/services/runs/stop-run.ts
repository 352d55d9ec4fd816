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
  /** Asks the run's workflow to stop; false when there is no open one. Throws when Temporal does not answer. */
  cancel(runId: string): Promise<boolean>;
  audit: Audit;
}

const RETRY_AFTER_SECONDS = 5;

/**
 * Stops a run: one that has begun is asked to, and is `stopped` a moment later; one that waits for its start, or whose
 * turn has not come, is so at once. A run that is over stays as it is.
 * @returns the run as it is then
 * @throws NotFoundError, UnavailableError (Temporal is needed and does not answer)
 */
export function createRunStopper({ queries, statuses, cancel, audit }: StopRunDeps) {
  /** A workflow that starts meanwhile finds the record ended; one that has read it before is there to be asked. */
  async function stopPending(runId: string): Promise<boolean> {
    if (!(await statuses.stopUnbegun(runId))) return false;
    // Without Temporal nothing can have begun; what may be left of a start is reconcile's.
    await cancel(runId).catch(() => false);
    return true;
  }

  return async (caller: Caller, kind: TargetKind, runId: string): Promise<Run> => {
    const run = await findRun(queries, kind, runId);
    if (isTerminal(run.status)) return run;
    if (!run.dispatch || !(await stopPending(runId))) {
      const isAsked = await cancel(runId).catch((cause: unknown) => {
        throw new UnavailableError('Temporal is not responding. Try again.', RETRY_AFTER_SECONDS, {
          cause,
          dependency: 'temporal',
        });
      });
      // A suite's test whose turn has not come has no workflow.
      if (!isAsked) await statuses.stopUnbegun(runId);
    }
    await audit.note(caller, `${kind}Run.stop`, {
      projectId: run.projectId,
      target: { type: `${kind}Run`, id: runId, name: run.targetName },
    });
    return findRun(queries, kind, runId);
  };
}
