import type { OutageLog } from './outage-log.js';

export interface Repetition {
  /** Prevents further calls. Resolves when the call in progress has ended. */
  stop(): Promise<void>;
}

export interface RepeatOptions {
  /** Pause between two calls, in ms. */
  everyMs: number;
  /** Pause after a failure; default: `everyMs`. */
  retryMs?: number;
  /** Receives the result of each call, until it is stopped. */
  outage?: Pick<OutageLog, 'failed' | 'succeeded'>;
}

/**
 * Calls `work` now and again after each call has ended, never concurrently. The timer does not keep the process alive.
 * @param work may return the pause until the next call, in ms; its errors do not end the repetition
 */
export function repeat(
  work: (isStopping: () => boolean) => Promise<number | void>,
  { everyMs, retryMs = everyMs, outage }: RepeatOptions,
): Repetition {
  let timer: NodeJS.Timeout | undefined;
  let stopping = false;

  async function once(): Promise<void> {
    let pauseMs = retryMs;
    try {
      pauseMs = (await work(() => stopping)) ?? everyMs;
      outage?.succeeded();
    } catch (error) {
      if (!stopping) outage?.failed(error);
    }
    if (!stopping) timer = setTimeout(() => (current = once()), pauseMs).unref();
  }
  let current = once();

  return {
    async stop() {
      stopping = true;
      clearTimeout(timer);
      await current;
    },
  };
}
