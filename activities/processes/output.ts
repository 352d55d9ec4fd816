import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunLog } from '#activities/runners/runner.js';
import type { TestProcess } from './launcher.js';

/** How long the output may stay open after the test's processes have exited: an undetected process may hold it. */
const DRAIN_MS = 1000;
const TICK_MS = 50;

export interface Output {
  /**
   * Waits until all output is in the log. To be called when the test's processes have exited: output that does not end
   * within a second of reading is cut off. Time that the log takes does not count, unless the attempt is stopped.
   * @throws the log's error
   */
  drain(signal: AbortSignal): Promise<void>;
}

/** Copies a test's output to its log, as fast as the log accepts it. */
export function pumpOutput(child: TestProcess, log: RunLog): Output {
  let writing = 0;
  let cutOff = false;
  let failure: unknown;

  async function pump(stream: Readable, name: 'stdout' | 'stderr'): Promise<void> {
    try {
      for await (const chunk of stream) {
        if (failure) continue; // Keep reading, so that the test does not block on its output.
        writing++;
        await log.write(name, chunk as Buffer).catch((error: unknown) => (failure = error));
        writing--;
      }
    } catch (error) {
      if (!cutOff) failure ??= error;
    }
  }

  let open = true;
  const pumps = Promise.all([pump(child.stdout, 'stdout'), pump(child.stderr, 'stderr')]).then(() => (open = false));

  return {
    async drain(signal) {
      const ended = new AbortController();
      void pumps.then(() => ended.abort());
      for (let readingMs = 0; open && readingMs < DRAIN_MS; readingMs += writing && !signal.aborted ? 0 : TICK_MS) {
        await sleep(TICK_MS, undefined, { signal: ended.signal }).catch(() => {});
      }
      if (open) {
        cutOff = true;
        child.stdout.destroy();
        child.stderr.destroy();
      }
      if (failure) throw failure;
    },
  };
}
