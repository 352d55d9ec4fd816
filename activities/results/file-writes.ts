import { setTimeout as sleep } from 'node:timers/promises';
import pTimeout from 'p-timeout';

const RETRY_MS = 500;

export interface WriteTimes {
  /** Total time that writes may wait for the database, in ms. */
  outageMs: number;
  /** How long writes may continue after a stop, in ms. */
  stoppedMs: number;
}

const TIMES: WriteTimes = { outageMs: 30_000, stoppedMs: 3000 };

/** The database did not accept a file in time. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable';
}

export interface FileWrites {
  /** Repeats an idempotent write until it succeeds. @throws DatabaseUnavailable */
  write<T>(work: () => Promise<T>): Promise<T>;
  /** Aborted some seconds after a stop; nothing is written afterwards. */
  ended: AbortSignal;
}

/** Limits how long the file writes of one attempt may take in total, so that they never delay a test for long. */
export function createFileWrites(stop: AbortSignal, { outageMs, stoppedMs }: WriteTimes = TIMES): FileWrites {
  const ended = new AbortController();
  const stopped = () =>
    setTimeout(() => ended.abort(new DatabaseUnavailable('the run was stopped')), stoppedMs).unref();
  if (stop.aborted) stopped();
  else stop.addEventListener('abort', stopped, { once: true });
  let remainingMs = outageMs;

  return {
    ended: ended.signal,
    async write(work) {
      for (;;) {
        ended.signal.throwIfAborted();
        if (remainingMs <= 0) tooLate();
        const from = Date.now();
        try {
          return await pTimeout(work(), { milliseconds: remainingMs, signal: ended.signal, fallback: tooLate });
        } catch (error) {
          if (!(error instanceof DatabaseUnavailable))
            await sleep(RETRY_MS, undefined, { signal: ended.signal }).catch(() => {});
          remainingMs -= Date.now() - from;
          if (error instanceof DatabaseUnavailable) throw error;
        }
      }
    },
  };
}

const tooLate = (): never => {
  throw new DatabaseUnavailable('the database did not respond in time');
};
