import type { Collection } from 'mongodb';
import type { LogLine } from '#src/domain/runs/log-line.js';
import { ignoreDuplicateKeys } from '#src/db/query/duplicate-key.js';

const MAX_TIME_MS = 2000;

/** The position of a line in a run's log. */
export type LogPlace = Pick<LogLine, 'attempt' | 'delivery' | 'seq'>;

/** Bounds of a response; a single line may have 64 KiB. */
export interface LogBounds {
  lines: number;
  characters: number;
}

/** Lines of a log in order. */
export interface LogPart {
  lines: LogLine[];
  /** Whether there are more lines in the direction of reading. */
  isLonger: boolean;
}

export type LogReads = ReturnType<typeof createLogReads>;

/** Each call throws the driver's error when the database does not answer in time. */
export function createLogReads(runLogs: Collection<LogLine>) {
  return {
    /** The lines after a position; undefined: from the start. */
    after: (runId: string, after: LogPlace | undefined, max: LogBounds) => logLinesAfter(runLogs, runId, after, max),
    /** The nearest lines before a position, in order; undefined: from the end. */
    before: (runId: string, before: LogPlace | undefined, max: LogBounds) =>
      logLinesBefore(runLogs, runId, before, max),
  };
}

/** See LogReads. */
export async function logLinesAfter(
  runLogs: Collection<LogLine>,
  runId: string,
  after: LogPlace | undefined,
  max: LogBounds,
): Promise<LogPart> {
  const { attempt = 0, delivery = 0, seq = 0 } = after ?? {};
  const behind = [
    { runId, attempt, delivery, seq: { $gt: seq } },
    { runId, attempt, delivery: { $gt: delivery } },
    { runId, attempt: { $gt: attempt } },
  ];
  const found = runLogs
    .find(after ? { $or: behind } : { runId }, { maxTimeMS: MAX_TIME_MS, hint: 'log_of_run' })
    .sort({ attempt: 1, delivery: 1, seq: 1 })
    .limit(max.lines + 1);
  return readUpTo(found, max);
}

/** See LogReads. */
export async function logLinesBefore(
  runLogs: Collection<LogLine>,
  runId: string,
  before: LogPlace | undefined,
  max: LogBounds,
): Promise<LogPart> {
  const { attempt = 0, delivery = 0, seq = 0 } = before ?? {};
  const ahead = [
    { runId, attempt, delivery, seq: { $lt: seq } },
    { runId, attempt, delivery: { $lt: delivery } },
    { runId, attempt: { $lt: attempt } },
  ];
  const found = runLogs
    .find(before ? { $or: ahead } : { runId }, { maxTimeMS: MAX_TIME_MS, hint: 'log_of_run' })
    .sort({ attempt: -1, delivery: -1, seq: -1 })
    .limit(max.lines + 1);
  const { lines, isLonger } = await readUpTo(found, max);
  return { lines: lines.reverse(), isLonger };
}

async function readUpTo(found: AsyncIterable<LogLine>, max: LogBounds): Promise<LogPart> {
  const lines: LogLine[] = [];
  let characters = 0;
  for await (const line of found) {
    if (lines.length === max.lines || characters >= max.characters) return { lines, isLonger: true };
    lines.push(line);
    characters += line.text.length;
  }
  return { lines, isLonger: false };
}

/**
 * Writes log lines in one round trip. Idempotent, because a line's `_id` is derived from its position.
 * @throws the driver's error when any line may be missing; then write the same batch again
 */
export async function insertLogLines(runLogs: Collection<LogLine>, lines: LogLine[]): Promise<void> {
  if (lines.length === 0) return;
  await runLogs.insertMany(lines, { ordered: false }).catch(ignoreDuplicateKeys);
}
