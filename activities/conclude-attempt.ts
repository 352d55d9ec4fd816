import { ApplicationFailure, type Context } from '@temporalio/activity';
import pTimeout from 'p-timeout';
import type { RunStatusStore, WriteOutcome } from '#src/db/runs/run-status-store.js';
import { asLeftBehind, withoutTexts, type KeptVerdict } from '#src/domain/runs/kept-verdict.js';
import { isTerminal, type TerminalStatus } from '#src/domain/runs/run-status.js';
import type { TestRun } from '#src/domain/runs/run.js';
import { keepTrying } from './keep-trying.js';
import type { RestOfAttempt } from './run-attempt.js';
import type { VerdictSpool } from './verdict-spool.js';

/** Delay in ms after which an unrecorded verdict is also stored outside this process. */
const KEEP_AFTER_MS = 1000;
/** How long a verdict waits for the end of its log, in ms, so that readers see the complete log. */
const LOG_FIRST_MS = 5000;

export interface AttemptEnded {
  status: TerminalStatus | 'auto_retrying';
}

export interface ConcluderDeps {
  statuses: Pick<RunStatusStore, 'endAttempt'>;
  verdicts: VerdictSpool;
}

/** Records verdicts, however long the database is unavailable. Only a shutdown of the worker ends the attempts. */
export interface Concluder {
  /** Heartbeat details: the pending verdict, for the worker that takes over the attempt if this one is lost. */
  kept(): KeptVerdict | undefined;
  /** Records the verdict of this delivery. @throws WorkerShutdown, with the verdict */
  record(kept: KeptVerdict, rest: RestOfAttempt): Promise<WriteOutcome<TestRun>>;
  /**
   * Records the verdict of an earlier delivery. @throws WorkerShutdown, with the verdict
   * @returns undefined when it is outdated: a later delivery has started the attempt and was lost
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

  async function storeOutside(kept: KeptVerdict): Promise<void> {
    waiting = withoutTexts(kept);
    context.heartbeat(waiting);
    await verdicts.keep(kept).catch((error: unknown) => {
      context.log.error('The database is unavailable and the verdict could not be saved to disk', {
        error: String(error),
      });
    });
  }

  return {
    kept: () => waiting,

    async record(kept, rest) {
      let keeping: Promise<void> | undefined;
      const timer = setTimeout(() => (keeping = storeOutside(kept)), KEEP_AFTER_MS);
      try {
        await pTimeout(rest.written, { milliseconds: LOG_FIRST_MS, message: false });
        const outcome = await write(kept);
        if (keeping) await keeping.then(() => verdicts.remove(kept));
        return outcome;
      } catch (error) {
        keeping ??= storeOutside(kept);
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

/** Aborted when the worker shuts down. A cancellation does not discard a verdict. */
function whenShutDown(context: Context): AbortSignal {
  const shutdown = new AbortController();
  const check = () => {
    if (context.cancellationDetails?.workerShutdown) shutdown.abort();
  };
  if (context.cancellationSignal.aborted) check();
  else context.cancellationSignal.addEventListener('abort', check, { once: true });
  return shutdown.signal;
}

const verdictOf = (run: TestRun, attempt: number) => run.attempts.find((one) => one.number === attempt)?.verdict;

const isOver = (run: TestRun, attempt: number) => isTerminal(run.status) || verdictOf(run, attempt) !== undefined;

/** The result of an attempt whose record can no longer be written. */
export function earlierEnd({ run }: { run: TestRun | null }, attempt: number): AttemptEnded {
  if (!run) throw ApplicationFailure.nonRetryable('The record of this run no longer exists', 'RunGone');
  if (isTerminal(run.status)) return { status: run.status };
  if (verdictOf(run, attempt)) return { status: 'auto_retrying' };
  throw ApplicationFailure.nonRetryable('A later delivery has taken over this attempt', 'Superseded');
}
