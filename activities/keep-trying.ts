import { log } from '@temporalio/activity';
import { retry } from '#src/lib/retry.js';
import { within } from '#src/lib/within.js';

/** For one call of the database, in ms: more than the driver's own deadlines together. */
export const DATABASE_CALL_MS = 60_000;

const LONGEST_WAIT_MS = 5000;
/** For the current try and one more after the signal is aborted. */
const STOPPED_MS = 2000;
/** How long a database that responds may reject writes, in ms. This is not an outage and does not recover by itself. */
const REFUSED_MS = 10 * 60_000;

export interface RetryTimeouts {
  /** Timeout of one try in ms. The driver's own timeouts did not end one observed call (chaos, seed 24386). */
  tryMs?: number;
  /** Total timeout in ms; absent: none. */
  giveUpMs?: number;
}

/**
 * Repeats an idempotent write until it succeeds. A database outage of any length only delays a run.
 * @throws the last error, when the signal is aborted or the time is up
 */
export function keepTrying<T>(
  write: () => Promise<T>,
  signal: AbortSignal | undefined,
  { tryMs = DATABASE_CALL_MS, giveUpMs = Infinity }: RetryTimeouts = {},
): Promise<T> {
  const began = performance.now();
  let reachableSince = began;
  let tries = 0;
  return retry(() => within(tryMs, 'The write', soonAfter(signal, write())), {
    firstMs: 200,
    longestMs: LONGEST_WAIT_MS,
    signal,
    onFailure(error) {
      const now = performance.now();
      if (!isRefusal(error)) reachableSince = now;
      if (now - began >= giveUpMs || now - reachableSince >= REFUSED_MS) throw error;
      // Logged once at the beginning and then every few minutes, so that a long outage does not flood the log.
      if (!signal?.aborted && ++tries % 50 === 1)
        log.warn('The record could not be written; retrying', { error: String(error), tries });
    },
  });
}

/** The database responded with an error that is not labeled as transient. Elections and shutdowns are. */
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
    hurry = () => (timer = setTimeout(() => reject(new Error('The write was canceled')), STOPPED_MS));
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
