import { setTimeout as sleep } from 'node:timers/promises';
import { ApplicationFailure, type Context } from '@temporalio/activity';
import type { RunStatusStore, WriteOutcome } from '../src/db/run-status.js';
import { asLeftBehind, withoutTexts, type KeptVerdict } from '../src/domain/kept-verdict.js';
import { isTerminal } from '../src/domain/run-status.js';
import type { TestRun } from '../src/domain/run.js';
import type { AttemptEnded } from './execute-test.js';
import { keepTrying } from './keep-trying.js';
import type { RestOfAttempt } from './run-attempt.js';
import type { VerdictSpool } from './verdict-spool.js';

/** After so many ms a verdict that is not recorded is kept where it outlives this process. */
const KEEP_AFTER_MS = 1000;
/** How long a verdict waits for the end of its log, so that whoever reads it has the whole log; in ms. */
const LOG_FIRST_MS = 5000;

export interface ConcluderDeps {
  statuses: Pick<RunStatusStore, 'endAttempt'>;
  verdicts: VerdictSpool;
}

/** Records verdicts, however long the database is away; it is told to stop by a shutdown of the worker only. */
export interface Concluder {
  /** What heartbeats carry: the verdict that waits, for the worker that gets the attempt if this one is lost. */
  kept(): KeptVerdict | undefined;
  /** Records the verdict of this delivery. @throws WorkerShutdown, with the verdict */
  record(kept: KeptVerdict, rest: RestOfAttempt): Promise<WriteOutcome<TestRun>>;
  /**
   * Records what an earlier delivery has left. @throws WorkerShutdown, with the verdict
   * @returns undefined when it is out of date: a later delivery has begun the attempt, and was lost
   */
  recordEarlier(kept: KeptVerdict): Promise<AttemptEnded | undefined>;
}

/** @param context of one delivery */
export function createConcluder({ statuses, verdicts }: ConcluderDeps, context: Context): Concluder {
  let waiting: KeptVerdict | undefined;
  const shutdown = whenShutDown(context);

  async function write(kept: KeptVerdict): Promise<WriteOutcome<TestRun>> {
    const { runId, verdict, again } = kept;
    try {
      const giveUpMs = kept.until - Date.now();
      return await keepTrying(() => statuses.endAttempt(runId, kept, verdict, again), shutdown, { giveUpMs });
    } catch (error) {
      if (!shutdown.aborted) throw error;
      const details = [kept.delivery, withoutTexts(kept)];
      throw ApplicationFailure.retryable('The worker is shutting down', 'WorkerShutdown', ...details);
    }
  }

  async function keepAside(kept: KeptVerdict): Promise<void> {
    waiting = withoutTexts(kept);
    context.heartbeat(waiting);
    await verdicts.keep(kept).catch((error: unknown) => {
      context.log.error('A verdict waits for the database and could not be written to the disk', {
        error: String(error),
      });
    });
  }

  return {
    kept: () => waiting,

    async record(kept, rest) {
      let keeping: Promise<void> | undefined;
      const timer = setTimeout(() => (keeping = keepAside(kept)), KEEP_AFTER_MS);
      try {
        const patience = new AbortController();
        await Promise.race([rest.written, sleep(LOG_FIRST_MS, undefined, { signal: patience.signal }).catch(() => {})]);
        patience.abort();
        const outcome = await write(kept);
        if (keeping) await keeping.then(() => verdicts.remove(kept));
        return outcome;
      } catch (error) {
        keeping ??= keepAside(kept);
        throw error;
      } finally {
        clearTimeout(timer);
        await keeping;
        waiting = undefined;
      }
    },

    async recordEarlier(kept) {
      waiting = withoutTexts(kept);
      context.heartbeat(waiting);
      const outcome = await write({ ...kept, verdict: asLeftBehind(kept) });
      await verdicts.remove(kept);
      waiting = undefined;
      if (outcome.done) return { status: kept.again ? 'auto_retrying' : kept.verdict.status };
      return outcome.run && !isOver(outcome.run, kept.attempt) ? undefined : earlierEnd(outcome, kept.attempt);
    },
  };
}

/** Aborted when the worker is shut down: a cancel does not make a verdict unsaid. */
function whenShutDown(context: Context): AbortSignal {
  const shutdown = new AbortController();
  const look = () => {
    if (context.cancellationDetails?.workerShutdown) shutdown.abort();
  };
  if (context.cancellationSignal.aborted) look();
  else context.cancellationSignal.addEventListener('abort', look, { once: true });
  return shutdown.signal;
}

const verdictOf = (run: TestRun, attempt: number) => run.attempts.find((one) => one.number === attempt)?.verdict;

const isOver = (run: TestRun, attempt: number) => isTerminal(run.status) || verdictOf(run, attempt) !== undefined;

/** What an attempt that cannot be written any more is answered with. */
export function earlierEnd({ run }: { run: TestRun | null }, attempt: number): AttemptEnded {
  if (!run) throw ApplicationFailure.nonRetryable('The record of this run is gone', 'RunGone');
  if (isTerminal(run.status)) return { status: run.status };
  if (verdictOf(run, attempt)) return { status: 'auto_retrying' };
  throw ApplicationFailure.nonRetryable('A later delivery has taken this attempt', 'Superseded');
}
