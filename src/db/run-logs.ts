import type { Collection } from 'mongodb';
import type { LogLine } from '../domain/log-line.js';
import { ignoreDuplicateKeys } from './duplicate-key.js';

/**
 * Writes log lines in one round trip. Idempotent: a line's `_id` is derived from its place, so a batch whose answer was
 * lost can be written again.
 * @throws the driver's error when any line may be missing; write the same batch again
 */
export async function insertLogLines(runLogs: Collection<LogLine>, lines: LogLine[]): Promise<void> {
  if (lines.length === 0) return;
  await runLogs.insertMany(lines, { ordered: false }).catch(ignoreDuplicateKeys);
}
