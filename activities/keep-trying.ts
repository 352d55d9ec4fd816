import { setTimeout as sleep } from 'node:timers/promises';
import { log } from '@temporalio/activity';
import { DATABASE_CALL_MS, within } from './within.js';

const LONGEST_WAIT_MS = 5000;
const GIVE_UP_MS = 10 * 60_000;

/**
 * Repeats an idempotent write until it succeeds: a database that is away for a minute delays a run and nothing else.
 * @param tryMs how long one try may take, in ms
 * @throws the last error after ten minutes, or when the signal is aborted between two tries
 */
export async function keepTrying<T>(
  write: () => Promise<T>,
  signal: AbortSignal | undefined,
  // A call was seen that none of the driver's deadlines ended (chaos, seed 24386).
  tryMs = DATABASE_CALL_MS,
): Promise<T> {
  const deadline = Date.now() + GIVE_UP_MS;
  for (let waitMs = 200; ; waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)) {
    try {
      return await within(tryMs, 'The write', write());
    } catch (error) {
      if (signal?.aborted || Date.now() > deadline) throw error;
      log.warn('The record could not be written; trying again', { error: String(error) });
      await sleep(waitMs, undefined, { signal }).catch(() => {});
    }
  }
}
