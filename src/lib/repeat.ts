import type { OutageLog } from './outage-log.js';

export interface Repetition {
  /** Starts no further call. Resolves when the call in progress has ended. */
  stop(): Promise<void>;
}

export interface RepeatOptions {
  /** From the end of one call to the beginning of the next, in ms. */
  everyMs: number;
  /** The same after a failure; absent: as usual. */
  retryMs?: number;
  /** Hears how each call ends, until it is stopped. */
  outage?: Pick<OutageLog, 'failed' | 'succeeded'>;
}

/**
 * Calls something at once, and again after it has ended: never twice at the same time. The pauses keep no process alive.
 * @param work returns the ms until the next call, where they differ from the usual; what it throws ends nothing
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
    if (!stopping) timer = setTimeout(() => (underWay = once()), pauseMs).unref();
  }
  let underWay = once();

  return {
    async stop() {
      stopping = true;
      clearTimeout(timer);
      await underWay;
    },
  };
}
