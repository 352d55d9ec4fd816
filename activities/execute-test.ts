import { ApplicationFailure, CancelledFailure, Context, type Info } from '@temporalio/activity';
import { TemporalFailure } from '@temporalio/common';
import type { Delivery, RunStatusStore } from '#src/db/runs/run-status-store.js';
import { isKeptVerdict, type KeptVerdict } from '#src/domain/runs/kept-verdict.js';
import type { AttemptTask, AttemptVerdict, ErrorCode, TestRun } from '#src/domain/runs/run.js';
import { preparationMsOf } from '#src/domain/targets/test-source.js';
import type { AttemptEnd, AttemptWatch } from './attempt-watch.js';
import { createConcluder, earlierEnd, type AttemptEnded } from './conclude-attempt.js';
import { keepTrying } from './keep-trying.js';
import { NO_REST, runAttempt, type RestOfAttempt, type RunAttemptDeps } from './run-attempt.js';
import type { VerdictSpool } from './verdict-spool.js';

/** More deliveries than Temporal makes of one activity. */
const DELIVERIES_MAX = 1000;
/** Added to the time limits of the test: for ending its processes and reading its results. */
const OVERHEAD_MS = 15 * 60_000;
/** Minimum number of heartbeats within the heartbeat timeout. */
const HEARTBEATS_IN_TIMEOUT = 3;

export interface ExecuteTestInput {
  runId: string;
  /** From 1. */
  attempt: number;
  /** No other attempt follows, regardless of the verdict. */
  lastAttempt: boolean;
  /**
   * Deliveries of this attempt before those that Temporal counts. Only workers of earlier versions read it: the
   * delivery number comes from the run's record.
   */
  earlierDeliveries?: number;
  /** The verdict of a worker that was shut down before it could record it. */
  ended?: unknown;
}

export interface ExecuteTestActivities {
  /** Runs one attempt and records it. `auto_retrying`: another attempt is to follow. */
  executeTest(input: ExecuteTestInput): Promise<AttemptEnded>;
}

export interface ExecuteTestDeps extends RunAttemptDeps {
  statuses: Pick<RunStatusStore, 'beginAttempt' | 'endAttempt'>;
  /** Whether a project may currently use a pool. */
  isPoolOpen(pool: string, projectId: string): Promise<boolean>;
  /** Whether the run's workflow is closed, for example by a termination. */
  isWorkflowClosed(runId: string): Promise<boolean>;
  verdicts: VerdictSpool;
  watch: AttemptWatch;
  /** Maximum interval between heartbeats, in ms. */
  heartbeatMs: number;
}

/** Activities of a runner pool's queue. */
export function createExecuteTestActivities(deps: ExecuteTestDeps): ExecuteTestActivities {
  return { executeTest: (input) => executeTest(deps, input) };
}

async function executeTest(deps: ExecuteTestDeps, input: ExecuteTestInput): Promise<AttemptEnded> {
  const { runId, attempt, lastAttempt } = input;
  const context = Context.current();
  const { info } = context;
  const concluder = createConcluder(deps, context);
  const { heartbeatTimeoutMs = Infinity } = info;
  const everyMs = Math.min(deps.heartbeatMs, heartbeatTimeoutMs / HEARTBEATS_IN_TIMEOUT);
  const heartbeat = setInterval(() => context.heartbeat(concluder.kept()), everyMs);
  try {
    const earlier = await findKept(deps, input, info);
    const recorded = earlier && (await concluder.recordEarlier(earlier));
    if (recorded) return recorded;

    const begin = () => deps.statuses.beginAttempt(runId, { attempt, task: taskOf(info) }, deps.worker);
    const begun = await keepTrying(begin, context.cancellationSignal);
    if (!begun.done) return earlierEnd(begun, attempt);

    const { run, delivery } = begun;
    let why: AttemptEnd | undefined;
    const ending = new AbortController();
    const unwatch = deps.watch.add({
      runId,
      seq: run.seq,
      limitMs: preparationMsOf(run.definition) + run.definition.timeoutMs + OVERHEAD_MS,
      end(reason) {
        why = reason;
        ending.abort();
        // The runner may never end. Without heartbeats, Temporal delivers the attempt to another worker.
        if (reason === 'overdue') clearInterval(heartbeat);
      },
    });
    const signal = AbortSignal.any([context.cancellationSignal, ending.signal]);
    const conclude = async (verdict: AttemptVerdict, rest: RestOfAttempt): Promise<AttemptEnded> => {
      unwatch();
      const stopped = why === 'stop' || (context.cancellationSignal.aborted && (await isStopped(deps, runId)));
      if (verdict.status === 'stopped' && why !== 'over' && !stopped) throw handedOver(delivery, why);
      const again = !lastAttempt && isWorthRetrying(verdict) && !stopped;
      const until = Date.now() + (run.expiresAt.getTime() - run.modified.getTime());
      const ended = await concluder.record({ runId, ...delivery, verdict, again, until }, rest);
      rest.hurry();
      // Report a cancellation only if Temporal requested it: a stop from the record may not have reached Temporal yet.
      const { cancelRequested, notFound } = context.cancellationDetails ?? {};
      if (verdict.status === 'stopped' && (cancelRequested || notFound)) throw new CancelledFailure('stopped');
      return ended.done ? { status: again ? 'auto_retrying' : verdict.status } : earlierEnd(ended, attempt);
    };
    try {
      const refused = await refusalOfPool(deps, run, signal);
      return await (refused ? conclude(refused, NO_REST) : runAttempt(deps, run, delivery, signal, conclude));
    } finally {
      unwatch();
    }
  } catch (error) {
    if (error instanceof TemporalFailure || !context.cancellationDetails?.workerShutdown) throw error;
    // The wait was interrupted by the shutdown; this does not count as a failed delivery.
    throw ApplicationFailure.retryable('The worker is shutting down', 'WorkerShutdown');
  } finally {
    clearInterval(heartbeat);
  }
}

/** A verdict that an earlier delivery could not record, from this machine's disk or from Temporal. */
async function findKept(
  deps: ExecuteTestDeps,
  { runId, attempt, ended }: ExecuteTestInput,
  { heartbeatDetails }: Info,
): Promise<KeptVerdict | undefined> {
  const local = await deps.verdicts.find(runId, attempt);
  return local ?? [heartbeatDetails, ended].find((candidate) => isKeptVerdict(candidate, runId, attempt));
}

/** Within a workflow, activity ids are increasing numbers, and so are the deliveries of an activity. */
function taskOf({ workflowExecution, activityId, attempt }: Info): AttemptTask {
  return { workflow: workflowExecution?.runId ?? '', order: (Number(activityId) || 0) * DELIVERIES_MAX + attempt };
}

/** Rejects the attempt when the project has lost access to the pool since the trigger or since the test was saved. */
async function refusalOfPool(
  { isPoolOpen }: Pick<ExecuteTestDeps, 'isPoolOpen'>,
  { projectId, definition: { pool } }: TestRun,
  signal: AbortSignal,
): Promise<AttemptVerdict | undefined> {
  if (await keepTrying(() => isPoolOpen(pool, projectId), signal)) return undefined;
  const errorMessage = `This project can no longer use the pool "${pool}". Choose another pool for the test, or ask an admin to add the project to this pool.`;
  return { status: 'error', errorCode: 'POOL_CLOSED', errorMessage };
}

/** Whether the workflow was canceled or terminated, as opposed to a shutdown or a delivery to another worker. */
async function isStopped(deps: ExecuteTestDeps, runId: string): Promise<boolean> {
  const details = Context.current().cancellationDetails;
  if (details?.cancelRequested) return true;
  return details?.notFound === true && (await deps.isWorkflowClosed(runId));
}

/** Ends this delivery without a verdict: the attempt is, or already was, delivered again. */
function handedOver({ delivery }: Delivery, why: AttemptEnd | undefined): Error {
  if (why === 'overdue')
    return ApplicationFailure.retryable('The attempt exceeded its time limits and did not end', 'Overdue');
  if (Context.current().cancellationDetails?.workerShutdown)
    return ApplicationFailure.retryable('The worker is shutting down', 'WorkerShutdown', delivery);
  return new CancelledFailure('Another delivery has taken over this attempt');
}

/** Errors that a retry would repeat. */
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
