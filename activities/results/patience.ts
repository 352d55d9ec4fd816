import { setTimeout as sleep } from 'node:timers/promises';
import pTimeout from 'p-timeout';

const RETRY_MS = 500;

export interface PatienceTimes {
  /** How long the database may be away, in ms, of all writes together. */
  awayMs: number;
  /** How long writes may go on after a stop, in ms. */
  stoppedMs: number;
}

const TIMES: PatienceTimes = { awayMs: 30_000, stoppedMs: 3000 };

/** The database did not take a file within the time that is given to it. */
export class DatabaseAway extends Error {
  override name = 'DatabaseAway';
}

export interface Patience {
  /** Repeats an idempotent write until it succeeds. @throws DatabaseAway */
  write<T>(work: () => Promise<T>): Promise<T>;
  /** Aborted some seconds after a stop: nothing is waited for any more. */
  ended: AbortSignal;
}

/** How long the writes of one attempt's files are waited for: a test is never held up for long because of them. */
export function createPatience(stop: AbortSignal, { awayMs, stoppedMs }: PatienceTimes = TIMES): Patience {
  const ended = new AbortController();
  const stopped = () => setTimeout(() => ended.abort(new DatabaseAway('the run was stopped')), stoppedMs).unref();
  if (stop.aborted) stopped();
  else stop.addEventListener('abort', stopped, { once: true });
  let awayLeftMs = awayMs;

  return {
    ended: ended.signal,
    async write(work) {
      for (;;) {
        ended.signal.throwIfAborted();
        if (awayLeftMs <= 0) tooLate();
        const from = Date.now();
        try {
          return await pTimeout(work(), { milliseconds: awayLeftMs, signal: ended.signal, fallback: tooLate });
        } catch (error) {
          if (!(error instanceof DatabaseAway))
            await sleep(RETRY_MS, undefined, { signal: ended.signal }).catch(() => {});
          awayLeftMs -= Date.now() - from;
          if (error instanceof DatabaseAway) throw error;
        }
      }
    },
  };
}

const tooLate = (): never => {
  throw new DatabaseAway('the database did not respond in time');
};
