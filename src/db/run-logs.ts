import { MongoBulkWriteError, type Collection } from 'mongodb';
import type { LogLine } from '../domain/log-line.js';

const DUPLICATE_KEY = 11000;
const MAX_TIME_MS = 5000;

/** Whether a bulk write failed for nothing but documents that were there already. */
function onlyDuplicates(error: unknown): boolean {
  if (!(error instanceof MongoBulkWriteError) || error.result.getWriteConcernError()) return false;
  const writeErrors = [error.writeErrors].flat();
  return writeErrors.length > 0 && writeErrors.every(({ code }) => code === DUPLICATE_KEY);
}

/**
 * Writes log lines in one round trip. Idempotent: a line's `_id` is derived from its place, so a batch whose answer was
 * lost can be written again.
 * @throws the driver's error when any line may be missing; write the same batch again
 */
export async function insertLogLines(runLogs: Collection<LogLine>, lines: LogLine[]): Promise<void> {
  if (lines.length === 0) return;
  try {
    await runLogs.insertMany(lines, { ordered: false });
  } catch (error) {
    if (!onlyDuplicates(error)) throw error;
  }
}

/**
 * A run's log in the order of its attempts and their deliveries. Needs the index `log_of_run`.
 * @param limit lines at most, from the start
 */
export async function readLog(
  runLogs: Collection<LogLine>,
  runId: string,
  { limit }: { limit: number },
): Promise<LogLine[]> {
  return runLogs
    .find({ runId }, { maxTimeMS: MAX_TIME_MS })
    .sort({ runId: 1, attempt: 1, delivery: 1, seq: 1 })
    .limit(limit)
    .toArray();
}
