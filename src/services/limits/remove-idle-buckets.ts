import type { RateBuckets } from '#src/db/instance/rate-buckets.js';
import type { Clock } from '#src/domain/clock.js';
import type { Logger } from '#src/lib/logger.js';

const EVERY_MS = 3_600_000;
/** Longer than the slowest bucket takes to refill. */
const IDLE_MS = 7 * 24 * 3_600_000;

/** Periodically removes buckets without recent draws. */
export function removeIdleBuckets(
  buckets: Pick<RateBuckets, 'removeIdle'>,
  clock: Clock,
  log: Logger,
): { stop: () => void } {
  const remove = async () => buckets.removeIdle(new Date(clock.now().getTime() - IDLE_MS));
  const timer = setInterval(() => {
    remove().catch((error: unknown) => {
      log.debug({ err: error }, 'could not delete idle rate limit buckets; retrying in the next pass');
    });
  }, EVERY_MS).unref();
  return { stop: () => clearInterval(timer) };
}
