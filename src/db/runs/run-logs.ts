import type { Collection } from 'mongodb';
import type { LogLine } from '#src/domain/runs/log-line.js';
import { ignoreDuplicateKeys } from '#src/db/query/duplicate-key.js';

const MAX_TIME_MS = 2000;

/** A place in a run's log: that of one of its lines. */
export type LogPlace = Pick<LogLine, 'attempt' | 'delivery' | 'seq'>;

/** What one answer may hold: a line may have 64 KiB. */
export interface LogBounds {
  lines: number;
  characters: number;
}

/** Lines of a log in order. */
export interface LogPart {
  lines: LogLine[];
  /** There are more behind them. */
  isLonger: boolean;
}

/** The two ways to read a part of a log; each throws the driver's error when the database does not answer in time. */
export interface LogReads {
  /** Lines behind a place; none, from the beginning. */
  after(runId: string, after: LogPlace | undefined, max: LogBounds): Promise<LogPart>;
  /** The nearest lines before a place, in order; none, from the end. */
  before(runId: string, before: LogPlace | undefined, max: LogBounds): Promise<LogPart>;
}

export function createLogReads(runLogs: Collection<LogLine>): LogReads {
  return {
    after: (runId, after, max) => logLinesAfter(runLogs, runId, after, max),
    before: (runId, before, max) => logLinesBefore(runLogs, runId, before, max),
  };
}

/**
 * The lines of a run's log behind a place, cut at a number of lines or of characters, whichever comes first.
 * @param after none, from the beginning
 * @throws the driver's error when the database does not answer in time
 */
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
  return taken(found, max);
}

/** The same before a place, the nearest of them, in order; `isLonger`: there are more before them. @param before none, from the end */
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
  const { lines, isLonger } = await taken(found, max);
  return { lines: lines.reverse(), isLonger };
}

/** As many lines as there may be. */
async function taken(found: AsyncIterable<LogLine>, max: LogBounds): Promise<LogPart> {
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
 * Writes log lines in one round trip. Idempotent: a line's `_id` is derived from its place, so a batch whose answer was
 * lost can be written again.
 * @throws the driver's error when any line may be missing; write the same batch again
 */
export async function insertLogLines(runLogs: Collection<LogLine>, lines: LogLine[]): Promise<void> {
  if (lines.length === 0) return;
  await runLogs.insertMany(lines, { ordered: false }).catch(ignoreDuplicateKeys);
}
