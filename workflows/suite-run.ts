import {
  ActivityCancellationType,
  CancellationScope,
  CancelledFailure,
  continueAsNew,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { SuiteActivities } from '#activities/suite-expansion.js';
import type { RunEnd } from '#src/domain/runs/run.js';
import { statusCounts, type RunStatus } from '#src/domain/runs/run-status.js';
import { searchAttributes, summaryOf, type RunResult, type SuitePlan, type SuiteProgress } from './messages.js';
import { progress as progressQuery } from './signals.js';
import { runTests } from './suite-tests.js';
import { awaitTurn, leaveLine } from './suite-turn.js';

const { expandSuite, finishSuite } = proxyActivities<SuiteActivities>({
  startToCloseTimeout: '5m',
  heartbeatTimeout: '30s',
  // A stop waits until the test runs are inserted: those inserted after the suite's end would stay queued forever.
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: { initialInterval: '1s', maximumInterval: '30s' },
});

/** Why a suite ends before its last test. */
interface Ending {
  /** The error that a stop is rethrown as. */
  stop?: unknown;
  timedOut?: true;
  end?: RunEnd;
}

/**
 * One run of a suite: waits for its turn, writes its test runs, all `queued`, then runs them as children in the suite's
 * order. Continues as new before its history is large.
 * @param earlier set only at continue-as-new
 */
export async function suiteRun(plan: SuitePlan, earlier?: SuiteProgress): Promise<RunResult> {
  let progress = earlier;
  setHandler(progressQuery, () => progress?.counts ?? statusCounts());

  const { stop, timedOut, end } = await unlessStopped(async () => {
    if (!progress) {
      const skipped = await awaitTurn(plan);
      if (skipped) return { end: skipped };
      progress = await begin(plan);
    }
    return progress ? await runAll(plan, progress) : {};
  });

  return await CancellationScope.nonCancellable(async () => {
    const { status } = await finishSuite({
      runId: plan.runId,
      stopped: stop !== undefined,
      ...(timedOut ? { timedOutAfterMs: plan.timeoutMs! } : {}),
      ...(end ? { end } : {}),
    });
    await leaveLine(plan);
    show(plan, status);
    if (stop) throw stop;
    return { status };
  });
}

async function unlessStopped(run: () => Promise<Ending>): Promise<Ending> {
  try {
    return await run();
  } catch (error) {
    // If the worker was lost during a stop, the activity fails instead of being canceled; the run was stopped anyway.
    if (!isCancellation(error) && !CancellationScope.current().consideredCancelled) throw error;
    return { stop: isCancellation(error) ? error : new CancelledFailure('The run was stopped') };
  }
}

/** @returns undefined when the run had ended before it began */
async function begin(plan: SuitePlan): Promise<SuiteProgress | undefined> {
  const { runId, timeoutMs } = plan;
  const { total, over } = await expandSuite({ runId });
  if (over) return undefined;
  show(plan, 'running');
  const deadline = timeoutMs === undefined ? {} : { deadline: Date.now() + timeoutMs };
  return { total, counts: statusCounts({ queued: total }), pass: 0, next: 0, inFlight: [], ...deadline };
}

/** Runs the tests, within the suite's timeout if it has one. @throws ContinueAsNew, or the cancellation of a stop */
async function runAll(plan: SuitePlan, progress: SuiteProgress): Promise<Ending> {
  const run = () => runTests(plan, progress, () => showProgress(plan, progress));
  const { deadline } = progress;
  let next: SuiteProgress | undefined;
  try {
    next = await (deadline === undefined
      ? run()
      : CancellationScope.withTimeout(Math.max(1, deadline - Date.now()), run));
  } catch (error) {
    if (isCancellation(error) && !CancellationScope.current().consideredCancelled) return { timedOut: true };
    throw error;
  }
  if (next) await continueAsNew<typeof suiteRun>(plan, next);
  return {};
}

/** A line for operators in the Temporal UI. */
function showProgress({ name = '' }: SuitePlan, { counts, total }: SuiteProgress): void {
  const parts = Object.entries(counts).filter(([, count]) => count > 0);
  setCurrentDetails(
    `${summaryOf('suite', name)}\n\n${total} tests: ${parts.map(([status, count]) => `${count} ${status}`).join(', ')}`,
  );
}

/** Sets the status as a search attribute for the Temporal UI. */
function show({ unlisted }: SuitePlan, status: RunStatus): void {
  if (!unlisted) upsertSearchAttributes([{ key: searchAttributes.status, value: status }]);
}
