import {
  ActivityCancellationType,
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  CancelledFailure,
  TimeoutFailure,
  getExternalWorkflowHandle,
  isCancellation,
  patched,
  proxyActivities,
  proxyLocalActivities,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { ExecuteTestActivities } from '#activities/execute-test.js';
import type { PoolActivities } from '#activities/pools.js';
import type { RunRecordActivities } from '#activities/run-records.js';
import type { RunEnd } from '#src/domain/runs/run.js';
import type { RunStatus } from '#src/domain/runs/run-status.js';
import {
  runnerQueue,
  searchAttributes,
  searchAttributesOf,
  type TestEnd,
  type TestPlan,
  type TestResult,
} from './messages.js';
import { reportTo, testEnded } from './signals.js';
import { NoRunner, whileServed } from './while-served.js';

/**
 * Effectively no timeout: during a database outage, a worker waits with its verdict for as long as the run is retained.
 * A lost worker misses its heartbeats; a hanging one stops them itself (see execute-test).
 */
const START_TO_CLOSE = '1000 days';
const HEARTBEAT_TIMEOUT_MS = 60_000;
/** Margin for a Temporal outage as long as the heartbeat timeout, so that the worker can reconnect. */
const HEARTBEAT_MARGIN = 1.5;

/** A stop that cannot be recorded reaches the test with a heartbeat. */
const { noteStop } = proxyLocalActivities<RunRecordActivities>({
  startToCloseTimeout: '5s',
  scheduleToCloseTimeout: '15s',
});

const { recordEnd, findRunner } = proxyLocalActivities<RunRecordActivities & PoolActivities>({
  startToCloseTimeout: '30s',
  retry: { initialInterval: '1s', maximumInterval: '30s' },
});

/**
 * One run of one test. Normally it costs one activity per attempt, which records `running` and the verdict itself.
 * The workflow records only what the activity could not: a lost worker, or a stop before a worker started it.
 */
export async function testRun(plan: TestPlan): Promise<TestResult> {
  let listener = plan.reportTo;
  setHandler(reportTo, (workflowId) => void (listener = workflowId));

  const { status, stop } = await runToEnd(plan);
  if (listener) await report(listener, { runId: plan.runId, status });
  if (stop) throw stop;
  return { status };
}

async function runToEnd(plan: TestPlan): Promise<TestResult & { stop?: unknown }> {
  try {
    const result = await runAttempts(plan);
    // A stop that the worker found in the record before it received the cancellation.
    const isStopped = result.status === 'stopped' && CancellationScope.current().consideredCancelled;
    return isStopped ? { ...result, stop: new CancelledFailure('The run was stopped') } : result;
  } catch (error) {
    // If the worker was lost during a stop, the activity fails instead of being canceled; the run was stopped anyway.
    const stopped = isCancellation(error) || CancellationScope.current().consideredCancelled;
    const end: RunEnd = stopped ? { status: 'stopped' } : endOfLost(error, plan);
    await CancellationScope.nonCancellable(() => recordEnd({ runId: plan.runId, ...end }));
    show(plan, end.status);
    if (!stopped) return { status: end.status };
    const stop = isCancellation(error) ? error : new CancelledFailure('The run was stopped');
    return { status: end.status, stop };
  }
}

async function runAttempts(plan: TestPlan): Promise<TestResult> {
  const first = (plan.earlierAttempts ?? 0) + 1;
  const last = first + plan.retries;
  for (let attempt = first; ; attempt++) {
    const { status } = await deliver(plan, attempt, attempt === last && !plan.mayRunAgain);
    const isUnremarkable = plan.ofSuite && status === 'passed' && attempt === first;
    if (!isUnremarkable) show(plan, status);
    if (status !== 'auto_retrying' || attempt === last) return { status };
  }
}

/** One attempt, delivered to workers until one completes it. */
async function deliver(plan: TestPlan, attempt: number, lastAttempt: boolean): Promise<TestResult> {
  const { executeTest } = proxyActivities<ExecuteTestActivities>({
    taskQueue: runnerQueue(workflowInfo().taskQueue, plan.pool),
    startToCloseTimeout: START_TO_CLOSE,
    ...(plan.noRunnerMs === undefined || plan.keepsPlace ? {} : { scheduleToStartTimeout: plan.noRunnerMs }),
    heartbeatTimeout: HEARTBEAT_MARGIN * (plan.heartbeatTimeoutMs ?? HEARTBEAT_TIMEOUT_MS),
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    // Deliveries to workers, not attempts of the test: a crash must not become a verdict. Deployments are distinguished, so
    // that they do not count.
    retry: {
      initialInterval: '1s',
      maximumInterval: '10s',
      maximumAttempts: 10,
      nonRetryableErrorTypes: ['WorkerShutdown'],
    },
  });
  let ended: unknown;
  for (let earlierDeliveries = 0; ;) {
    try {
      const more = { ...(earlierDeliveries > 0 ? { earlierDeliveries } : {}), ...(ended ? { ended } : {}) };
      const execute = () => executeTest({ runId: plan.runId, attempt, lastAttempt, ...more });
      const { runId, pool, noRunnerMs, keepsPlace } = plan;
      const inPlace = () => whileServed({ runId, pool, noRunnerMs: noRunnerMs! }, execute);
      return await notingStops(runId, keepsPlace && noRunnerMs !== undefined ? inPlace : execute);
    } catch (error) {
      const cause = error instanceof ActivityFailure ? error.cause : undefined;
      if (cause instanceof ApplicationFailure && cause.type === 'WorkerShutdown') {
        earlierDeliveries = Number(cause.details?.[0] ?? earlierDeliveries + 10);
        ended = cause.details?.[1] ?? ended;
      } else if (!isUntaken(cause) || !(await hasRunner(plan))) throw error;
    }
  }
}

/** Executes the attempt. A cancellation is recorded in the run, which the worker checks every second. */
async function notingStops<T>(runId: string, execute: () => Promise<T>): Promise<T> {
  const noting = new CancellationScope({ cancellable: true, parent: new CancellationScope({ cancellable: false }) });
  const note = async () => {
    if (!isOver && patched('stop-is-noted')) await noting.run(() => noteStop({ runId }));
  };
  let isOver = false;
  CancellationScope.current().cancelRequested.catch(() => note().catch(() => {}));
  try {
    return await execute();
  } finally {
    isOver = true;
    noting.cancel();
  }
}

/** No worker took it within the limit: of runs that were started on a version before `keepsPlace`. */
function isUntaken(cause: unknown): boolean {
  return cause instanceof TimeoutFailure && cause.timeoutType === 'SCHEDULE_TO_START';
}

/** Whether the pool had a worker within the limit: then it is busy, and the test continues to wait. */
async function hasRunner({ pool, noRunnerMs = 0 }: TestPlan): Promise<boolean> {
  const { alive, seenAgoMs = Infinity } = await findRunner({ pool });
  return alive || seenAgoMs < noRunnerMs;
}

function endOfLost(error: unknown, { pool, noRunnerMs = 0 }: TestPlan): RunEnd {
  if (error instanceof NoRunner || (error instanceof ActivityFailure && isUntaken(error.cause)))
    return {
      status: 'error',
      errorCode: 'NO_RUNNER',
      errorMessage: `No worker has served the pool "${pool}" for ${describe(noRunnerMs)}. Start one with RUNHOOK_POOLS=${pool}, or correct the pool of the test.`,
    };
  return {
    status: 'error',
    errorCode: 'WORKER_LOST',
    errorMessage: 'No worker could finish this test. See the failure in Temporal and the log of the workers.',
  };
}

function describe(ms: number): string {
  return ms < 60_000 ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`;
}

/** To the suite that has continued as new. A suite that no longer exists needs no report. */
async function report(workflowId: string, end: TestEnd): Promise<void> {
  await CancellationScope.nonCancellable(() =>
    getExternalWorkflowHandle(workflowId)
      .signal(testEnded, end)
      .catch(() => {}),
  );
}

/** Sets the status as a search attribute for the Temporal UI. */
function show({ ofSuite, unlisted }: TestPlan, status: RunStatus): void {
  if (unlisted) return;
  upsertSearchAttributes(
    ofSuite
      ? searchAttributesOf({ ...ofSuite, kind: 'test', trigger: 'suite', status })
      : [{ key: searchAttributes.status, value: status }],
  );
}
