import { createReconcileActivities } from '../activities/reconcile-runs.js';
import { createRetentionActivities } from '../activities/remove-expired-runs.js';
import type { WorkerConfig } from './config.js';
import type { Collections } from './db/collections.js';
import { createExpiredRunStore } from './db/expired-runs.js';
import { addToReport } from './db/maintenance.js';
import { createOpenRunStore } from './db/open-runs.js';
import { createPendingStarts, type PendingRun } from './db/pending-starts.js';
import { createProjectRetentionStore } from './db/project-retention.js';
import { recountSuites } from './db/recount-suites.js';
import { createRunStatusStore, skipWaiting } from './db/run-status.js';
import { countTestRuns } from './db/suite-counts.js';
import type { Clock } from './domain/clock.js';
import type { Logger } from './logger.js';
import { cancelRun } from './temporal/cancel-run.js';
import { workflowState } from './temporal/describe-run.js';
import { childrenOf, listWorkflowIds, openRuns } from './temporal/open-workflows.js';
import type { TemporalBinding } from './services/temporal-binding.js';

export interface MaintenanceContext {
  collections: Collections;
  /** The database's. */
  clock: Clock;
  binding: TemporalBinding;
  /** Starts the workflow; idempotent. */
  startRun(run: PendingRun): Promise<void>;
  config: Pick<WorkerConfig, 'startDeadlineMs' | 'workflowLostMs' | 'retentionMs'>;
  log: Logger;
}

/** The activities of the schedules, which workers of the workflow queue run. */
export function createMaintenanceActivities({
  collections,
  clock,
  binding,
  startRun,
  config,
  log,
}: MaintenanceContext) {
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
      statuses: createRunStatusStore(runs),
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
      log: (result) => log[result.runs + result.followed > 0 ? 'info' : 'debug'](result, 'expired runs removed'),
    }),
  };
}
