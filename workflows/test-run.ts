import {
  ActivityCancellationType,
  CancellationScope,
  CancelledFailure,
  isCancellation,
  proxyActivities,
  proxyLocalActivities,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { ExecuteTestActivities } from '../activities/execute-test.js';
import type { RunRecordActivities } from '../activities/run-records.js';
import type { RunStatus } from '../src/domain/run-status.js';
import { runnerQueue, searchAttributes, type RunResult, type TestPlan } from './messages.js';

/** Room beside the test's own time limit: ending its processes, and waiting for a database that is away. */
const OVERHEAD_MS = 15 * 60_000;

const { recordEnd } = proxyLocalActivities<RunRecordActivities>({
  startToCloseTimeout: '30s',
  retry: { initialInterval: '1s', maximumInterval: '30s' },
});

/**
 * One run of one test. The usual run costs one activity an attempt: it records `running` and the verdict itself.
 * What is recorded here is only what the activity could not: a lost worker, a stop before a worker took it.
 */
export async function testRun(plan: TestPlan): Promise<RunResult> {
  const { executeTest } = proxyActivities<ExecuteTestActivities>({
    taskQueue: runnerQueue(plan.pool),
    startToCloseTimeout: plan.timeoutMs + OVERHEAD_MS,
    heartbeatTimeout: '30s',
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    // Deliveries to workers, not attempts of the test: a deploy or a crash must not become a verdict.
    retry: { initialInterval: '1s', maximumInterval: '10s', maximumAttempts: 10 },
  });

  try {
    for (let attempt = 1; ; attempt++) {
      const { status } = await executeTest({ runId: plan.runId, attempt, lastAttempt: attempt > plan.retries });
      show(status);
      if (status !== 'auto_retrying') return { status };
    }
  } catch (error) {
    // A worker that was asked to stop and was lost fails instead: the run was stopped all the same.
    if (isCancellation(error) || CancellationScope.current().consideredCancelled) {
      await CancellationScope.nonCancellable(() => recordEnd({ runId: plan.runId, status: 'stopped' }));
      show('stopped');
      throw isCancellation(error) ? error : new CancelledFailure('The run was stopped');
    }
    await CancellationScope.nonCancellable(() =>
      recordEnd({
        runId: plan.runId,
        status: 'error',
        errorCode: 'WORKER_LOST',
        errorMessage: 'No worker could finish this test. See the failure in Temporal and the log of the workers.',
      }),
    );
    show('error');
    return { status: 'error' };
  }
}

/** Makes the status findable in the Temporal UI. */
function show(status: RunStatus): void {
  upsertSearchAttributes([{ key: searchAttributes.status, value: status }]);
}
