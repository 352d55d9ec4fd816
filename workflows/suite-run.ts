import {
  ActivityCancellationType,
  CancellationScope,
  CancelledFailure,
  ChildWorkflowFailure,
  ParentClosePolicy,
  TerminatedFailure,
  condition,
  executeChild,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { RunRecordActivities } from '../activities/run-records.js';
import type { SuiteActivities } from '../activities/suite-expansion.js';
import type { RunEnd } from '../src/domain/run.js';
import { statusCounts, type StatusCounts } from '../src/domain/run-status.js';
import {
  searchAttributes,
  searchAttributesOf,
  summaryOf,
  type RunResult,
  type SuitePlan,
  type SuiteTest,
} from './messages.js';
import { testRun } from './test-run.js';

const PAGE = 100;

const { expandSuite, listSuiteTests, finishSuite } = proxyActivities<SuiteActivities>({
  startToCloseTimeout: '5m',
  heartbeatTimeout: '30s',
  // A stop waits for the writing of the test runs: those written after the suite's end would stay queued for ever.
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: { initialInterval: '1s', maximumInterval: '30s' },
});

const { recordEnd } = proxyActivities<RunRecordActivities>({
  startToCloseTimeout: '30s',
  retry: { initialInterval: '1s', maximumInterval: '30s' },
});

/** One run of a suite: writes its test runs, all `queued`, then runs them as children in the suite's order. */
export async function suiteRun(plan: SuitePlan): Promise<RunResult> {
  let wasStopped: unknown;
  try {
    const { total, over } = await expandSuite({ runId: plan.runId });
    if (!over) {
      upsertSearchAttributes([{ key: searchAttributes.status, value: 'running' }]);
      await runTests(plan, total);
    }
  } catch (error) {
    // A worker that was lost during a stop fails instead: the run was stopped all the same.
    if (!isCancellation(error) && !CancellationScope.current().consideredCancelled) throw error;
    wasStopped = isCancellation(error) ? error : new CancelledFailure('The run was stopped');
  }
  return await CancellationScope.nonCancellable(async () => {
    const { status } = await finishSuite({ runId: plan.runId, stopped: wasStopped !== undefined });
    upsertSearchAttributes([{ key: searchAttributes.status, value: status }]);
    if (wasStopped) throw wasStopped;
    return { status };
  });
}

/** Keeps up to `parallelism` tests running; ends when all that were started have ended. */
async function runTests(plan: SuitePlan, total: number): Promise<void> {
  const counts = statusCounts({ queued: total });
  const inFlight = new Set<Promise<void>>();
  let stopping = false;
  let stopError: unknown;

  const runOne = async (test: SuiteTest) => {
    counts.queued--;
    counts.running++;
    try {
      const { status } = await startTest(plan, test);
      counts[status]++;
      if (plan.onFailure === 'stop' && (status === 'failed' || status === 'error')) stopping = true;
    } catch (error) {
      stopError = error;
      stopping = true;
      counts.stopped++;
    } finally {
      counts.running--;
      showProgress(counts, total);
    }
  };

  try {
    for (let from = 0; from < total && !stopping; from += PAGE) {
      const tests = await listSuiteTests({ runId: plan.runId, from, limit: PAGE });
      for (const test of tests) {
        // Not cancellable: a stop cancels the children, and each is waited for.
        await CancellationScope.nonCancellable(() => condition(() => stopping || inFlight.size < plan.parallelism));
        if (stopping) break;
        const running = runOne(test).finally(() => inFlight.delete(running));
        inFlight.add(running);
      }
    }
  } finally {
    await Promise.all(inFlight);
  }
  if (stopError) throw stopError;
}

/** One of the suite's tests as a child. A child that was terminated or that could not run has an end recorded here. */
async function startTest(plan: SuitePlan, test: SuiteTest): Promise<RunResult> {
  const { targetId, name, ...testPlan } = test;
  try {
    return await executeChild(testRun, {
      workflowId: test.runId,
      args: [testPlan],
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
      // A suite that is terminated asks its tests to stop, so that none runs on.
      parentClosePolicy: ParentClosePolicy.REQUEST_CANCEL,
      staticSummary: summaryOf('test', name),
      typedSearchAttributes: searchAttributesOf({
        projectId: plan.projectId,
        kind: 'test',
        targetId,
        status: 'queued',
        trigger: 'suite',
      }),
      priority: { fairnessKey: plan.projectId },
    });
  } catch (error) {
    if (isCancellation(error) && CancellationScope.current().consideredCancelled) throw error;
    const { status } = await recordEnd({ runId: test.runId, ...endOfChild(error) });
    return { status };
  }
}

/** How a test ended whose workflow ended without a verdict. */
function endOfChild(error: unknown): RunEnd {
  const cause = error instanceof ChildWorkflowFailure ? error.cause : undefined;
  if (cause instanceof TerminatedFailure || cause instanceof CancelledFailure) return { status: 'stopped' };
  return {
    status: 'error',
    errorCode: 'INTERNAL',
    errorMessage: 'The workflow of this test ended without a verdict. See it in Temporal.',
  };
}

/** A line for operators in the Temporal UI. */
function showProgress(counts: StatusCounts, total: number): void {
  const parts = Object.entries(counts).filter(([, count]) => count > 0);
  setCurrentDetails(`${total} tests: ${parts.map(([status, count]) => `${count} ${status}`).join(', ')}`);
}
