import { ApplicationFailure } from '@temporalio/activity';
import type { WorkflowHandle } from '@temporalio/client';
import type { ReconcileActivities } from '#activities/reconcile-runs.js';
import type { RetentionActivities } from '#activities/remove-expired-runs.js';
import { randomId } from '#src/domain/ids.js';
import { workflowQueue } from '#workflows/messages.js';
import type { WorkflowEnvironment } from './environment.js';
import { stubActivities } from './stub-activities.js';

type Job = 'reconcileRuns' | 'removeExpiredRuns';

/** A scheduled workflow that has ended. */
export interface EndedJob {
  handle: WorkflowHandle;
  result: unknown;
  /** Number of deliveries of its activity. */
  deliveries: number;
}

async function runJob({ temporal, withWorkers }: WorkflowEnvironment, job: Job, failures = 0): Promise<EndedJob> {
  let deliveries = 0;
  const deliver = <T>(result: T) => {
    if (deliveries++ < failures) throw ApplicationFailure.retryable('the database is unavailable');
    return result;
  };
  const activities: ReconcileActivities & RetentionActivities = {
    reconcileOpenRuns: async () => deliver({ mended: { stopped: 2 }, failed: 0 }),
    removeExpired: async () => deliver({ runs: 3, followed: 1 }),
  };
  return await withWorkers(
    { ...stubActivities().activities, ...activities },
    async () => {
      const workflowId = `${job}-${randomId()}`;
      const handle = await temporal.client.workflow.start(job, {
        workflowId,
        taskQueue: workflowQueue(temporal.installationId),
        args: [],
      });
      const result: unknown = await handle.result();
      return { handle: temporal.client.workflow.getHandle(workflowId), result, deliveries };
    },
    { runner: false },
  );
}

export const reconcileCases = {
  passed: (environment: WorkflowEnvironment) => runJob(environment, 'reconcileRuns'),
  'delivered-again': (environment: WorkflowEnvironment) => runJob(environment, 'reconcileRuns', 1),
};

export const retentionCases = {
  passed: (environment: WorkflowEnvironment) => runJob(environment, 'removeExpiredRuns'),
};
