import { ApplicationFailure, CancelledFailure, Context, type Info } from '@temporalio/activity';
import type { Delivery, RunStatusStore } from '../src/db/run-status.js';
import type { AttemptTask, AttemptVerdict, ErrorCode, TestRun } from '../src/domain/run.js';
import { isTerminal, type TerminalStatus } from '../src/domain/run-status.js';
import { keepTrying } from './keep-trying.js';
import { runAttempt, type RunAttemptDeps } from './run-attempt.js';

const HEARTBEAT_MS = 2000;
/** More than Temporal makes of one activity. */
const DELIVERIES_MAX = 1000;

export interface ExecuteTestInput {
  runId: string;
  /** From 1. */
  attempt: number;
  /** No other attempt follows, whatever the verdict. */
  lastAttempt: boolean;
  /**
   * Deliveries of this attempt before those that Temporal counts. Read by workers of earlier versions only: a delivery's
   * number comes from the run's record.
   */
  earlierDeliveries?: number;
}

export interface ExecuteTestActivities {
  /** Runs one attempt and records it. `auto_retrying`: another attempt is to follow. */
  executeTest(input: ExecuteTestInput): Promise<{ status: TerminalStatus | 'auto_retrying' }>;
}

export interface ExecuteTestDeps extends RunAttemptDeps {
  statuses: Pick<RunStatusStore, 'beginAttempt' | 'endAttempt'>;
  /** Whether a project may use a pool at this moment. */
  isPoolOpen(pool: string, projectId: string): Promise<boolean>;
  /** Whether the run's workflow is closed, by a terminate for instance. */
  isWorkflowClosed(runId: string): Promise<boolean>;
}

/** Activities of a runner pool's queue. */
export function createExecuteTestActivities(deps: ExecuteTestDeps): ExecuteTestActivities {
  return {
    async executeTest({ runId, attempt, lastAttempt }) {
      const context = Context.current();
      const { info, cancellationSignal: signal } = context;
      const what = { attempt, task: taskOf(info) };
      const heartbeat = setInterval(() => context.heartbeat(), HEARTBEAT_MS);
      try {
        const begun = await keepTrying(() => deps.statuses.beginAttempt(runId, what, deps.worker), signal);
        if (!begun.done) return earlierEnd(begun, attempt);
        const { delivery } = begun;

        const verdict =
          (await refusalOfPool(deps, begun.run, signal)) ?? (await runAttempt(deps, begun.run, delivery, signal));
        const stopped = signal.aborted && (await isStopped(deps, runId));
        if (verdict.status === 'stopped' && !stopped) throw handedOver(delivery);

        const again = !lastAttempt && isWorthRetrying(verdict) && !stopped;
        // Not given up on a cancel: the verdict is there and the next delivery would only repeat the test.
        const ended = await keepTrying(() => deps.statuses.endAttempt(runId, delivery, verdict, again), undefined);
        if (verdict.status === 'stopped') throw new CancelledFailure('stopped');
        return ended.done ? { status: again ? 'auto_retrying' : verdict.status } : earlierEnd(ended, attempt);
      } finally {
        clearInterval(heartbeat);
      }
    },
  };
}

/** Of one workflow, ids of activities are numbers that grow, and so does the count of an activity's deliveries. */
function taskOf({ workflowExecution, activityId, attempt }: Info): AttemptTask {
  return { workflow: workflowExecution?.runId ?? '', order: (Number(activityId) || 0) * DELIVERIES_MAX + attempt };
}

/** A project that has lost a pool since the run's trigger, or since its test was saved, runs nothing there. */
async function refusalOfPool(
  { isPoolOpen }: Pick<ExecuteTestDeps, 'isPoolOpen'>,
  { projectId, definition: { pool } }: TestRun,
  signal: AbortSignal,
): Promise<AttemptVerdict | undefined> {
  if (await keepTrying(() => isPoolOpen(pool, projectId), signal)) return undefined;
  const errorMessage = `This project cannot use the pool "${pool}" any more. Choose another pool for the test, or ask an admin to give the project this one.`;
  return { status: 'error', errorCode: 'POOL_CLOSED', errorMessage };
}

/** A cancel or terminate of the workflow, as opposed to a shutdown or a delivery that was given to another worker. */
async function isStopped(deps: ExecuteTestDeps, runId: string): Promise<boolean> {
  const details = Context.current().cancellationDetails;
  if (details?.cancelRequested) return true;
  return details?.notFound === true && (await deps.isWorkflowClosed(runId));
}

/** Ends this delivery without a verdict: the workflow has the attempt delivered again, or Temporal has already. */
function handedOver({ delivery }: Delivery): Error {
  const details = Context.current().cancellationDetails;
  if (details?.workerShutdown)
    return ApplicationFailure.retryable('The worker is shutting down', 'WorkerShutdown', delivery);
  return new CancelledFailure('Another delivery has taken this attempt');
}

/** What an attempt that cannot be written any more is answered with. */
function earlierEnd({ run }: { run: TestRun | null }, attempt: number): { status: TerminalStatus | 'auto_retrying' } {
  if (!run) throw ApplicationFailure.nonRetryable('The record of this run is gone', 'RunGone');
  if (isTerminal(run.status)) return { status: run.status };
  const recorded = run.attempts.find((one) => one.number === attempt)?.verdict;
  if (recorded) return { status: 'auto_retrying' };
  throw ApplicationFailure.nonRetryable('A later delivery has taken this attempt', 'Superseded');
}

/** What is not there, or cannot be read, is not there the next time either. */
const FINAL: (ErrorCode | undefined)[] = [
  'COMMAND_NOT_FOUND',
  'FOLDER_NOT_ALLOWED',
  'SECRETS_UNREADABLE',
  'VARIABLE_SET_MISSING',
  'POOL_CLOSED',
  'VARIABLE_MISSING',
  'BROWSER_MISSING',
];

function isWorthRetrying({ status, errorCode }: AttemptVerdict): boolean {
  return status === 'failed' || (status === 'error' && !FINAL.includes(errorCode));
}
