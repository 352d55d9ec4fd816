import type { LogLine, LogStream } from '#src/domain/runs/log-line.js';
import type { RunLog } from './runners/runner.js';
import { createBatchWriter, type LogLineStore } from './run-log/batch-writer.js';
import { createLineSplitter, lineText, type LineSplitter } from './run-log/line-splitter.js';
import { createLogTail, type LogTail } from './run-log/log-tail.js';
import type { Masker, SecretMask } from './run-log/masker.js';

/**
 * What a line costs beside its bytes: its document. Keeps a flood of empty lines from becoming millions of documents.
 */
const LINE_COST = 128;
const TAIL_BYTES = 256 * 1024;
const TEN_MINUTES = 10 * 60_000;
/** How long the last lines of a stopped attempt may take to be written. */
const STOPPED_CLOSE_MS = 5000;
const WRITTEN = Promise.resolve();

export interface RunLogOptions {
  runLogs: LogLineStore;
  runId: string;
  attempt: number;
  delivery: number;
  /** Kept at most: the head, and 256 KiB of the end. A line counts for its bytes and 128 more. */
  maxBytes: number;
  now?: () => Date;
  /** How long the database may be unavailable before backpressure ends, and how long closing may take; in ms. */
  deadlineMs?: number;
  /** Aborted when the attempt is stopped: backpressure ends, and closing takes at most 5 s. */
  signal?: AbortSignal;
  /** Masks secrets in the output of the test. */
  mask?: SecretMask | undefined;
  /** Called when lines could not be written. */
  warn?: (message: string) => void;
}

export type ClosableRunLog = RunLog & {
  /**
   * Writes the rest; later writes are dropped. Resolves when everything is written or abandoned: when `giveUp`
   * is aborted or, without it, at the log's deadline.
   */
  close(giveUp?: AbortSignal): Promise<void>;
};

/** Splits the output of a test into lines and writes them in batches while it runs, with bounded memory. */
export function createRunLog(options: RunLogOptions): ClosableRunLog {
  const { runId, attempt, delivery, maxBytes, signal, now = () => new Date(), deadlineMs = TEN_MINUTES } = options;
  const { mask, warn = (message) => process.emitWarning(message) } = options;
  const tailBytes = Math.min(TAIL_BYTES, Math.floor(maxBytes / 4));
  const writer = createBatchWriter(options.runLogs, deadlineMs);
  const splitters = new Map<LogStream, LineSplitter>();
  const maskers = new Map<LogStream, Masker>();
  let headLeft = maxBytes - tailBytes;
  let tail: LogTail | undefined;
  let closed: Promise<void> | undefined;
  let seq = 0;

  const release = () => writer.release();
  if (signal?.aborted) release();
  else signal?.addEventListener('abort', release, { once: true });

  function addLine(stream: LogStream, text: string, bytes: number, at: Date): void {
    seq++;
    const line: LogLine = {
      _id: `${runId}:${attempt}:${delivery}:${seq}`,
      runId,
      attempt,
      delivery,
      seq,
      at,
      stream,
      text,
    };
    writer.add(line, bytes + LINE_COST);
  }

  function splitterOf(stream: LogStream): LineSplitter {
    const splitter = splitters.get(stream) ?? createLineSplitter();
    splitters.set(stream, splitter);
    return splitter;
  }

  /** Before lines are split: chunk and line boundaries can split a secret. */
  function masked(stream: LogStream, chunk: Buffer): Buffer {
    if (!mask) return chunk;
    const masker = maskers.get(stream) ?? mask.stream();
    maskers.set(stream, masker);
    return masker.push(chunk);
  }

  function write(stream: LogStream, bytes: Buffer): Promise<void> {
    if (!tail) return writeHead(stream, bytes, now());
    tail.add(stream, bytes, now());
    return WRITTEN;
  }

  /** From now on, only the tail is kept. Incomplete lines continue there. */
  function endHead(at: Date): LogTail {
    const rest = createLogTail(tailBytes, LINE_COST);
    for (const [stream, splitter] of splitters) rest.add(stream, splitter.rest(), at);
    return rest;
  }

  function writeHead(stream: LogStream, chunk: Buffer, at: Date): Promise<void> {
    const used = splitterOf(stream).push(chunk, (text, bytes) => {
      addLine(stream, text, bytes, at);
      headLeft -= bytes + LINE_COST;
      return headLeft > 0;
    });
    if (headLeft <= 0) {
      tail = endHead(at);
      tail.add(stream, chunk.subarray(used), at);
    }
    return writer.isFull() ? holdBack() : WRITTEN;
  }

  async function holdBack(): Promise<void> {
    if (!(await writer.room())) tail ??= endHead(now());
  }

  function writeEnd(): void {
    if (!tail) {
      for (const [stream, splitter] of splitters) {
        const rest = splitter.rest();
        if (rest.length > 0) addLine(stream, lineText(rest), rest.length, now());
      }
      return;
    }
    const { lines, leftOut } = tail.end();
    if (leftOut > 0) addLine('system', `Log truncated: ${leftOut} bytes omitted.`, 0, lines[0]?.at ?? now());
    for (const { stream, text, bytes, at } of lines) addLine(stream, text, bytes, at);
  }

  async function close(giveUpSignal: AbortSignal | undefined): Promise<void> {
    // Backpressure no longer matters.
    for (const [stream, masker] of maskers) void write(stream, masker.end());
    writeEnd();
    const giveUp = new AbortController();
    const end = () => giveUp.abort();
    const timers = giveUpSignal ? [] : [setTimeout(end, deadlineMs)];
    if (giveUpSignal?.aborted) end();
    else giveUpSignal?.addEventListener('abort', end, { once: true });
    const hurry = () => void timers.push(setTimeout(end, STOPPED_CLOSE_MS));
    if (signal?.aborted) hurry();
    else signal?.addEventListener('abort', hurry, { once: true });
    const unwritten = await writer.finish(giveUp.signal);
    timers.forEach(clearTimeout);
    giveUpSignal?.removeEventListener('abort', end);
    signal?.removeEventListener('abort', hurry);
    signal?.removeEventListener('abort', release);
    if (unwritten > 0) {
      warn(`The last ${unwritten} log lines of run ${runId}, attempt ${attempt}, were lost: MongoDB was unavailable.`);
    }
  }

  return {
    write(stream, chunk) {
      if (closed) return WRITTEN;
      return write(stream, masked(stream, typeof chunk === 'string' ? Buffer.from(chunk) : chunk));
    },
    close: (giveUp) => (closed ??= close(giveUp)),
  };
}
