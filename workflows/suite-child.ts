import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  CancellationScope,
  CancelledFailure,
  ChildWorkflowFailure,
  ParentClosePolicy,
  TerminatedFailure,
  isCancellation,
  proxyActivities,
  sleep,
  startChild,
  workflowInfo,
  type ChildWorkflowHandle,
} from '@temporalio/workflow';
import type { RunRecordActivities } from '#activities/run-records.js';
import type { RunEnd } from '#src/domain/runs/run.js';
import { memoOf, summaryOf, type SuitePlan, type SuiteTest, type TestEnd, type TestPlan } from './messages.js';
import { testRun } from './test-run.js';

/** How long the workflow of the previous pass, which has reported its end, may take to close. */
const CLOSING_TRIES = 30;

const { recordEnd } = proxyActivities<RunRecordActivities>({
  startToCloseTimeout: '30s',
  retry: { initialInterval: '1s', maximumInterval: '30s' },
});

type Child = ChildWorkflowHandle<typeof testRun>;

/**
 * Starts one of the suite's tests as a child.
 * @param pass from 0
 * @param reportTo the workflow to report the end to, in addition to the native result
 * @returns `over` resolves to the end and never rejects: the end of a child that was terminated or could not run is
 *   recorded here
 */
export function startTest(
  plan: SuitePlan,
  test: SuiteTest,
  pass: number,
  reportTo: string | undefined,
): { started: Promise<Child>; over: Promise<TestEnd> } {
  const scope = CancellationScope.current();
  const testPlan = { ...planOf(plan, test, pass), ...(reportTo ? { reportTo } : {}) };
  const started = pass === 0 ? start(test, testPlan) : startAgain(test, testPlan);
  const end = async (): Promise<TestEnd> => {
    const { runId } = test;
    try {
      return { runId, ...(await (await started).result()) };
    } catch (error) {
      if (isCancellation(error) && scope.consideredCancelled) return { runId, status: 'stopped' };
      return { runId, ...(await CancellationScope.nonCancellable(() => recordEnd({ runId, ...endOf(error) }))) };
    }
  };
  return { started, over: end() };
}

function start(test: SuiteTest, testPlan: TestPlan): Promise<Child> {
  return startChild(testRun, {
    workflowId: test.runId,
    args: [testPlan],
    // In a later pass, the run continues in a workflow with the same ID.
    workflowIdReusePolicy: testPlan.earlierAttempts === undefined ? 'REJECT_DUPLICATE' : 'ALLOW_DUPLICATE',
    // The default would end running tests when the suite continues as new. A canceled suite stops its
    // tests itself; for a terminated one, reconcile does.
    parentClosePolicy: ParentClosePolicy.ABANDON,
    staticSummary: summaryOf('test', test.name),
    ...memoOf(workflowInfo().taskQueue),
    // Priority and fairness key are inherited. It has no search attributes before it needs attention (see `ofSuite`).
  });
}

async function startAgain(test: SuiteTest, testPlan: TestPlan): Promise<Child> {
  for (let tries = 1; ; tries++) {
    try {
      return await start(test, testPlan);
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError) || tries === CLOSING_TRIES) throw error;
      await sleep('1s');
    }
  }
}

function planOf(
  { projectId, unlisted, retryFailed = 0, onFailure, noRunnerMs, heartbeatTimeoutMs }: SuitePlan,
  { runId, targetId, pool, timeoutMs, preparationMs, retries, earlierAttempts }: SuiteTest,
  pass: number,
): TestPlan {
  return {
    runId,
    ofSuite: { projectId, targetId },
    ...(unlisted ? { unlisted } : {}),
    pool,
    timeoutMs,
    ...(preparationMs === undefined ? {} : { preparationMs }),
    // If the first failure ends the suite, a failed test that may run again does so immediately.
    retries: onFailure === 'stop' ? (retries + 1) * (retryFailed + 1) - 1 : retries,
    ...(noRunnerMs === undefined ? {} : { noRunnerMs, keepsPlace: true }),
    ...(heartbeatTimeoutMs === undefined ? {} : { heartbeatTimeoutMs }),
    ...(pass === 0 ? {} : { earlierAttempts: earlierAttempts ?? 0 }),
    ...(onFailure === 'continue' && pass < retryFailed ? { mayRunAgain: true } : {}),
  };
}

/** The end of a test whose workflow closed without a verdict. */
function endOf(error: unknown): RunEnd {
  const cause = error instanceof ChildWorkflowFailure ? error.cause : undefined;
  if (cause instanceof TerminatedFailure || cause instanceof CancelledFailure) return { status: 'stopped' };
  return {
    status: 'error',
    errorCode: 'INTERNAL',
    errorMessage: 'The workflow of this test ended without a verdict. See it in Temporal.',
  };
}
