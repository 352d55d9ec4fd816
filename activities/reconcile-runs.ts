import { Context } from '@temporalio/activity';
import type { OpenRun } from '../src/db/open-runs.js';
import type { RunStatusStore } from '../src/db/run-status.js';
import type { RunEnd } from '../src/domain/run.js';
import type { SuiteActivities } from './suite-expansion.js';

export interface ReconcileActivities {
  /** Asks Temporal about each open run that has not moved for a while, and mends those whose workflow is over. */
  reconcileOpenRuns(): Promise<{ mended: number }>;
}

export interface ReconcileDeps {
  /** Open runs that should have an open workflow and have not moved since `before`. */
  openRuns(before: Date): AsyncIterable<OpenRun>;
  /** As Temporal names it; undefined: it does not know the workflow. */
  workflowStatus(runId: string): Promise<string | undefined>;
  statuses: Pick<RunStatusStore, 'endRun'>;
  suites: Pick<SuiteActivities, 'finishSuite'>;
}

const STILL_MS = 15_000;

export function createReconcileActivities(deps: ReconcileDeps): ReconcileActivities {
  return {
    async reconcileOpenRuns() {
      let mended = 0;
      for await (const run of deps.openRuns(new Date(Date.now() - STILL_MS))) {
        Context.current().heartbeat();
        const status = await deps.workflowStatus(run._id);
        if (status === 'RUNNING' || status === 'PAUSED') continue;
        const end = endOf(status);
        if (run.kind === 'test') await deps.statuses.endRun(run._id, end);
        // With its tests: those that wait for their turn have no workflow of their own to ask about.
        else if (end.status === 'stopped') await deps.suites.finishSuite({ runId: run._id, stopped: true });
        else await deps.suites.finishSuite({ runId: run._id, stopped: false, end });
        mended++;
      }
      return { mended };
    },
  };
}

/** How a record ends whose workflow ended without writing it. */
function endOf(workflowStatus: string | undefined): RunEnd {
  switch (workflowStatus) {
    case 'TERMINATED':
    case 'CANCELLED':
      return { status: 'stopped' };
    case undefined:
      return {
        status: 'error',
        errorCode: 'WORKFLOW_LOST',
        errorMessage: 'Temporal does not know the workflow of this run any more. Trigger the run again.',
      };
    default:
      return {
        status: 'error',
        errorCode: 'INTERNAL',
        errorMessage: `The workflow of this run ended (${workflowStatus.toLowerCase()}) without a verdict. See it in Temporal.`,
      };
  }
}
