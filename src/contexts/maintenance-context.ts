import { createReconcileActivities } from '#activities/reconcile-runs.js';
import { createRetentionActivities } from '#activities/remove-expired-runs.js';
import type { WorkerConfig } from '#src/config.js';
import { createExpiredRunStore } from '#src/db/runs/expired-run-store.js';
import { addToReport } from '#src/db/instance/maintenance.js';
import { createOpenRunStore } from '#src/db/runs/open-run-store.js';
import { createPendingStarts, type PendingRun } from '#src/db/runs/pending-starts.js';
import { createProjectRetentionStore } from '#src/db/projects/project-retention-store.js';
import { recountSuites } from '#src/db/suite-runs/recount-suites.js';
import { skipWaiting } from '#src/db/runs/run-status-store.js';
import { countTestRuns } from '#src/db/suite-runs/suite-counts.js';
import { cancelRun } from '#src/temporal/cancel-run.js';
import { workflowState } from '#src/temporal/describe-run.js';
import { childrenOf, listWorkflowIds, openRuns } from '#src/temporal/open-workflows.js';
import type { SharedContext } from './shared-context.js';

/**
 * The activities of the maintenance schedules, executed by workers of the workflow queue.
 * @param startRun starts the workflow; idempotent
 */
export function createMaintenanceActivities(
  { collections, clock, binding, statuses, log }: SharedContext,
  config: WorkerConfig,
  startRun: (run: PendingRun) => Promise<void>,
) {
  const { runs } = collections;
  return {
    ...createReconcileActivities({
      openRuns: createOpenRunStore(collections),
      checkTemporal: async () => void (await binding.useChecked()),
      async openWorkflows(onPage) {
        const temporal = await binding.use();
        return listWorkflowIds(temporal, openRuns(temporal), onPage);
      },
      workflowState: async (runId) => workflowState(await binding.use(), runId),
      async childrenOf(suiteRunId) {
        const temporal = await binding.use();
        return listWorkflowIds(temporal, childrenOf(temporal, suiteRunId));
      },
      cancel: async (runId) => void (await cancelRun(await binding.use(), runId)),
      start: startRun,
      pending: createPendingStarts(collections, clock),
      statuses,
      countTests: (suiteRunId) => countTestRuns(runs, suiteRunId),
      skipWaiting: (suiteRunId, except) => skipWaiting(runs, suiteRunId, except),
      recountSuites: (endedSince) => recountSuites(collections, endedSince),
      clock,
      startDeadlineMs: config.startDeadlineMs,
      lostAfterMs: config.workflowLostMs,
      report: (pass) => addToReport(collections, 'reconcile', pass),
      log(result, failures) {
        const level = failures.length > 0 ? 'warn' : Object.keys(result.mended).length > 0 ? 'info' : 'debug';
        const [first] = failures;
        log[level]({ ...result, ...(first ? { runId: first.runId, err: first.error } : {}) }, 'runs reconciled');
      },
    }),
    ...createRetentionActivities({
      expired: createExpiredRunStore(collections, clock),
      projects: createProjectRetentionStore(collections),
      retentionMs: config.retentionMs,
      report: (pass) => addToReport(collections, 'retention', pass),
      log: (result) => log[result.runs + result.followed > 0 ? 'info' : 'debug'](result, 'expired runs deleted'),
    }),
  };
}
