import { setTimeout as sleep } from 'node:timers/promises';
import { log } from '@temporalio/activity';
import { DATABASE_CALL_MS, within } from './within.js';

const LONGEST_WAIT_MS = 5000;
/** For the try under way, and one more, when it is told to stop. */
const STOPPED_MS = 2000;
/** How long a database that answers may refuse, in ms: that is no outage, and does not get better. */
const REFUSED_MS = 10 * 60_000;

export interface TryingTimes {
  /** How long one try may take, in ms. A call was seen that none of the driver's deadlines ended (chaos, seed 24386). */
  tryMs?: number;
  /** How long it goes on, in ms; absent: until it succeeds. */
  giveUpMs?: number;
}

/**
 * Repeats an idempotent write until it succeeds: an outage of the database, however long, delays a run and nothing else.
 * @throws the last error, when the signal is aborted or the time is up
 */
export async function keepTrying<T>(
  write: () => Promise<T>,
  signal: AbortSignal | undefined,
  { tryMs = DATABASE_CALL_MS, giveUpMs = Infinity }: TryingTimes = {},
): Promise<T> {
  const began = performance.now();
  let reachableSince = began;
  for (let waitMs = 200, tries = 1; ; waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS), tries++) {
    try {
      return await within(tryMs, 'The write', soonAfter(signal, write()));
    } catch (error) {
      const now = performance.now();
      if (!isRefusal(error)) reachableSince = now;
      if (signal?.aborted || now - began >= giveUpMs || now - reachableSince >= REFUSED_MS) throw error;
      // Once at the beginning and then every few minutes: an outage of hours is no flood of lines.
      if (tries % 50 === 1)
        log.warn('The record could not be written; trying until it is', { error: String(error), tries });
      await sleep(waitMs, undefined, { signal }).catch(() => {});
    }
  }
}

/** The database is there and says no; an election, or a shutdown, it labels. */
function isRefusal(error: unknown): boolean {
  const { name, errorLabels = [] } = error as { name?: string; errorLabels?: string[] };
  return name === 'MongoServerError' && !errorLabels.some((label) => label.startsWith('Retryable'));
}

/** The result of `work`, or, soon after the signal is aborted, an error. */
async function soonAfter<T>(signal: AbortSignal | undefined, work: Promise<T>): Promise<T> {
  if (!signal) return work;
  let timer: NodeJS.Timeout | undefined;
  let hurry: (() => void) | undefined;
  const late = new Promise<never>((_, reject) => {
    hurry = () =>
      (timer = setTimeout(() => reject(new Error('The write was given up: it was told to stop')), STOPPED_MS));
    if (signal.aborted) hurry();
    else signal.addEventListener('abort', hurry, { once: true });
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', hurry!);
  }
}
