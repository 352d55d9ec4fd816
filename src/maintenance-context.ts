import { createReconcileActivities } from '../activities/reconcile-runs.js';
import { createRetentionActivities } from '../activities/remove-expired-runs.js';
import type { WorkerConfig } from './config.js';
import type { Collections } from './db/collections.js';
import { createExpiredRunStore } from './db/expired-runs.js';
import { addToReport } from './db/maintenance.js';
import { createOpenRunStore } from './db/open-runs.js';
import { createPendingStarts } from './db/pending-starts.js';
import { createProjectRetentionStore } from './db/project-retention.js';
import { recountSuites } from './db/recount-suites.js';
import { createRunStatusStore, skipWaiting } from './db/run-status.js';
import { countTestRuns } from './db/suite-counts.js';
import type { Clock } from './domain/clock.js';
import type { Logger } from './logger.js';
import { cancelRun } from './temporal/cancel-run.js';
import type { Temporal } from './temporal/connect.js';
import { workflowState } from './temporal/describe-run.js';
import { childrenOf, listWorkflowIds, OPEN_RUNS } from './temporal/open-workflows.js';
import { startRun } from './temporal/start-run.js';

export interface MaintenanceContext {
  collections: Collections;
  /** The database's. */
  clock: Clock;
  temporal: Temporal;
  config: Pick<WorkerConfig, 'startDeadlineMs' | 'retentionMs' | 'noRunnerMs'>;
  log: Logger;
}

/** The activities of the schedules, which workers of the workflow queue run. */
export function createMaintenanceActivities({ collections, clock, temporal, config, log }: MaintenanceContext) {
  const { runs } = collections;
  return {
    ...createReconcileActivities({
      openRuns: createOpenRunStore(collections),
      openWorkflows: (onPage) => listWorkflowIds(temporal, OPEN_RUNS, onPage),
      workflowState: (runId) => workflowState(temporal, runId),
      childrenOf: (suiteRunId) => listWorkflowIds(temporal, childrenOf(suiteRunId)),
      cancel: async (runId) => void (await cancelRun(temporal, runId)),
      start: (run) => startRun(temporal, run, { noRunnerMs: config.noRunnerMs }),
      pending: createPendingStarts(collections, clock),
      statuses: createRunStatusStore(runs),
      countTests: (suiteRunId) => countTestRuns(runs, suiteRunId),
      skipWaiting: (suiteRunId, except) => skipWaiting(runs, suiteRunId, except),
      recountSuites: (endedSince) => recountSuites(collections, endedSince),
      startDeadlineMs: config.startDeadlineMs,
      report: (pass) => addToReport(collections, 'reconcile', pass),
      log(result, failures) {
        const level = failures.length > 0 ? 'warn' : Object.keys(result.mended).length > 0 ? 'info' : 'debug';
        const [first] = failures;
        log[level]({ ...result, ...(first ? { runId: first.runId, err: first.error } : {}) }, 'runs reconciled');
      },
    }),
    ...createRetentionActivities({
      expired: createExpiredRunStore(collections),
      projects: createProjectRetentionStore(collections),
      retentionMs: config.retentionMs,
      report: (pass) => addToReport(collections, 'retention', pass),
      log: (result) => log[result.runs + result.followed > 0 ? 'info' : 'debug'](result, 'expired runs removed'),
    }),
  };
}
