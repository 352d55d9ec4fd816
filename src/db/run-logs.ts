import type { Collection } from 'mongodb';
import type { LogLine } from '../domain/log-line.js';
import { ignoreDuplicateKeys } from './duplicate-key.js';

const MAX_TIME_MS = 2000;

/** A place in a run's log: that of one of its lines. */
export type LogPlace = Pick<LogLine, 'attempt' | 'delivery' | 'seq'>;

/**
 * The lines of a run's log behind a place, in order.
 * @param after none, from the beginning
 * @throws the driver's error when the database does not answer in time
 */
export function logLinesAfter(
  runLogs: Collection<LogLine>,
  runId: string,
  after: LogPlace | undefined,
  limit: number,
): Promise<LogLine[]> {
  const { attempt = 0, delivery = 0, seq = 0 } = after ?? {};
  const behind = [
    { runId, attempt, delivery, seq: { $gt: seq } },
    { runId, attempt, delivery: { $gt: delivery } },
    { runId, attempt: { $gt: attempt } },
  ];
  return runLogs
    .find(after ? { $or: behind } : { runId }, { maxTimeMS: MAX_TIME_MS, hint: 'log_of_run' })
    .sort({ attempt: 1, delivery: 1, seq: 1 })
    .limit(limit)
    .toArray();
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
