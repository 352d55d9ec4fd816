import { ApplicationFailure, CancelledFailure, Context, type Info } from '@temporalio/activity';
import { TemporalFailure } from '@temporalio/common';
import type { Delivery, RunStatusStore } from '../src/db/run-status.js';
import { isKeptVerdict, type KeptVerdict } from '../src/domain/kept-verdict.js';
import type { AttemptTask, AttemptVerdict, ErrorCode, TestRun } from '../src/domain/run.js';
import type { TerminalStatus } from '../src/domain/run-status.js';
import { preparationMsOf } from '../src/domain/test-source.js';
import type { AttemptEnd, AttemptWatch } from './attempt-watch.js';
import { createConcluder, earlierEnd } from './conclude-attempt.js';
import { keepTrying } from './keep-trying.js';
import { NO_REST, runAttempt, type RestOfAttempt, type RunAttemptDeps } from './run-attempt.js';
import type { VerdictSpool } from './verdict-spool.js';

/** More than Temporal makes of one activity. */
const DELIVERIES_MAX = 1000;
/** Beside the test's own time limits: ending its processes, reading what it has left. */
const OVERHEAD_MS = 15 * 60_000;
/** Heartbeats in the time after which Temporal takes the worker for lost, at least. */
const HEARTBEATS_IN_TIMEOUT = 3;

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
  /** The verdict of a worker that was shut down before the database took it. */
  ended?: unknown;
}

export interface ExecuteTestActivities {
  /** Runs one attempt and records it. `auto_retrying`: another attempt is to follow. */
  executeTest(input: ExecuteTestInput): Promise<AttemptEnded>;
}

export interface AttemptEnded {
  status: TerminalStatus | 'auto_retrying';
}

export interface ExecuteTestDeps extends RunAttemptDeps {
  statuses: Pick<RunStatusStore, 'beginAttempt' | 'endAttempt'>;
  /** Whether a project may use a pool at this moment. */
  isPoolOpen(pool: string, projectId: string): Promise<boolean>;
  /** Whether the run's workflow is closed, by a terminate for instance. */
  isWorkflowClosed(runId: string): Promise<boolean>;
  verdicts: VerdictSpool;
  watch: AttemptWatch;
  /** Between two heartbeats, in ms: at most. */
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
        // Its runner may not end at all: Temporal hands it to another worker then.
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
      // A stop that Temporal has asked for is answered as one; of one that the record told first it may not know yet.
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
    // What it was waiting for was given up: not a delivery that has failed.
    throw ApplicationFailure.retryable('The worker is shutting down', 'WorkerShutdown');
  } finally {
    clearInterval(heartbeat);
  }
}

/** A verdict that an earlier delivery could not record: of this machine, or handed on by Temporal. */
async function findKept(
  deps: ExecuteTestDeps,
  { runId, attempt, ended }: ExecuteTestInput,
  { heartbeatDetails }: Info,
): Promise<KeptVerdict | undefined> {
  const here = await deps.verdicts.find(runId, attempt);
  return here ?? [heartbeatDetails, ended].find((one) => isKeptVerdict(one, runId, attempt));
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
function handedOver({ delivery }: Delivery, why: AttemptEnd | undefined): Error {
  if (why === 'overdue') return ApplicationFailure.retryable('The attempt went on long past its limits', 'Overdue');
  if (Context.current().cancellationDetails?.workerShutdown)
    return ApplicationFailure.retryable('The worker is shutting down', 'WorkerShutdown', delivery);
  return new CancelledFailure('Another delivery has taken this attempt');
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
