import type { LogLine } from '#src/domain/runs/log-line.js';

const BATCH_LINES = 500;
const BATCH_COST = 512 * 1024;
const FLUSH_MS = 250;
const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 5000;
/** What may wait to be written, in bytes, before writers are held back. */
const FULL_COST = 2 * 1024 * 1024;

/** Where log lines go (see db/run-logs). */
export interface LogLineStore {
  /** Idempotent: the same lines may come again after a failure. */
  insert(lines: LogLine[]): Promise<void>;
}

export interface BatchWriter {
  /** @param cost of the line, in bytes, against the limits of a batch and of what may wait */
  add(line: LogLine, cost: number): void;
  /** Whether more waits than is good. */
  isFull(): boolean;
  /** Resolves once there is room: false when there is none and waiting was given up (`patienceMs`, `release`). */
  room(): Promise<boolean>;
  /** Stops holding writers back. */
  release(): void;
  /** Writes what waits until it is done or given up. Resolves with the number of lines that are not known to be written. */
  finish(giveUp: AbortSignal): Promise<number>;
}

/**
 * Writes lines in batches, one batch at a time: at 250 ms, 500 lines or 512 KiB, whichever is first. A batch that fails
 * is repeated with a back-off.
 * @param patienceMs how long the store may fail before writers are no longer held back
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
        // The store is away: `finish` tells the caller what never got there.
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
      // What is not sent yet must not wait for a back-off that began long ago.
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
