import type { LogLine } from '#src/domain/runs/log-line.js';

const BATCH_LINES = 500;
const BATCH_COST = 512 * 1024;
const FLUSH_MS = 250;
const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 5000;
/** Maximum of unwritten bytes before backpressure is applied. */
const FULL_COST = 2 * 1024 * 1024;

/** The store of log lines (see db/run-logs). */
export interface LogLineStore {
  /** Idempotent, because the same lines may be inserted again after a failure. */
  insert(lines: LogLine[]): Promise<void>;
}

export interface BatchWriter {
  /** @param cost of the line in bytes, for the limits of a batch and of the queue */
  add(line: LogLine, cost: number): void;
  /** Whether the queue exceeds its limit. */
  isFull(): boolean;
  /** Resolves when the queue has room; false if waiting was given up (`patienceMs`, `release`). */
  room(): Promise<boolean>;
  /** Ends backpressure. */
  release(): void;
  /** Writes the rest of the queue. @returns the number of lines that may not be written, if given up */
  finish(giveUp: AbortSignal): Promise<number>;
}

/**
 * Writes lines in batches, one at a time: after 250 ms, 500 lines or 512 KiB, whichever comes first. A failed batch is
 * retried with backoff.
 * @param patienceMs how long the store may fail before backpressure ends
 */
export function createBatchWriter(store: LogLineStore, patienceMs: number): BatchWriter {
  let queue: { line: LogLine; cost: number }[] = [];
  let queueCost = 0;
  let unwritten = 0;
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> | undefined;
  let failingSince: number | undefined;
  let released = false;
  let finishing = false;
  let stopped: AbortSignal | undefined;
  let wakeWriters: (() => void)[] = [];
  let wakeRetry: (() => void) | undefined;

  const isFull = () => queueCost > FULL_COST;
  const isBatchFull = () => queue.length >= BATCH_LINES || queueCost >= BATCH_COST;
  const isImpatient = () => released || (failingSince !== undefined && performance.now() - failingSince > patienceMs);

  function wake(): void {
    const waiting = wakeWriters;
    wakeWriters = [];
    for (const resume of waiting) resume();
  }

  function takeBatch(): { lines: LogLine[]; cost: number } {
    let cost = 0;
    let count = 0;
    while (count < Math.min(queue.length, BATCH_LINES) && cost < BATCH_COST) cost += queue[count++]!.cost;
    const taken = queue.slice(0, count);
    queue = queue.slice(count);
    return { lines: taken.map(({ line }) => line), cost };
  }

  async function pause(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const alarm = setTimeout(resolve, ms);
      wakeRetry = () => {
        clearTimeout(alarm);
        resolve();
      };
    });
  }

  /** Repeats a batch until it is written or the writer is stopped. */
  async function write(lines: LogLine[]): Promise<boolean> {
    for (let waitMs = FIRST_RETRY_MS; ; waitMs = Math.min(2 * waitMs, LONGEST_RETRY_MS)) {
      try {
        await store.insert(lines);
        failingSince = undefined;
        return true;
      } catch {
        // The store is unavailable; `finish` returns the number of unwritten lines.
        failingSince ??= performance.now();
        if (isImpatient()) wake();
        if (stopped?.aborted) return false;
        await pause(waitMs);
      }
    }
  }

  async function sendAll(): Promise<void> {
    do {
      const { lines, cost } = takeBatch();
      if (!(await write(lines))) return;
      unwritten -= lines.length;
      queueCost -= cost;
      wake();
    } while (queue.length > 0 && (isBatchFull() || finishing) && !stopped?.aborted);
  }

  function send(): void {
    clearTimeout(timer);
    timer = undefined;
    if (sending || queue.length === 0) return;
    sending = sendAll().finally(() => {
      sending = undefined;
      if (queue.length > 0 && !finishing) timer ??= setTimeout(send, FLUSH_MS);
    });
  }

  return {
    add(line, cost) {
      queue.push({ line, cost });
      queueCost += cost;
      unwritten++;
      if (isBatchFull()) send();
      else timer ??= setTimeout(send, FLUSH_MS);
    },

    isFull,

    async room() {
      while (isFull() && !isImpatient()) await new Promise<void>((resume) => wakeWriters.push(resume));
      return !isFull();
    },

    release() {
      released = true;
      wake();
    },

    async finish(giveUp) {
      finishing = true;
      stopped = giveUp;
      const givenUp = new Promise<void>((resolve) => {
        const stop = () => {
          wakeRetry?.();
          resolve();
        };
        if (giveUp.aborted) stop();
        else giveUp.addEventListener('abort', stop, { once: true });
      });
      // Skip the current backoff.
      wakeRetry?.();
      while (queue.length > 0 || sending) {
        send();
        await Promise.race([sending, givenUp]);
        if (giveUp.aborted) break;
      }
      clearTimeout(timer);
      wake();
      return unwritten;
    },
  };
}
