import type { LeaseStore } from '#src/db/instance/lease-store.js';
import type { Logger } from '#src/lib/logger.js';
import { createOutageLog, type OutageTexts } from '#src/lib/outage-log.js';
import { repeat, type Repetition, type RepeatOptions } from '#src/lib/repeat.js';

export interface LeasedLoopOptions extends Pick<RepeatOptions, 'everyMs'> {
  lease: Pick<LeaseStore, 'release'>;
  log: Pick<Logger, 'info' | 'warn' | 'debug'>;
  texts: OutageTexts & { unreleased: string };
}

/**
 * A job of one server at a time, which `look` holds the lease for. At its end another server may take it at once; while it
 * fails, its lease expires by itself: a stop does not wait for an unavailable database.
 */
export function leasedLoop(look: Parameters<typeof repeat>[0], options: LeasedLoopOptions): Repetition {
  const { lease, log, texts, everyMs } = options;
  let failing = false;
  const watched = async (isStopping: () => boolean) => {
    failing = true;
    const pauseMs = await look(isStopping);
    failing = false;
    return pauseMs;
  };
  const loop = repeat(watched, { everyMs, outage: createOutageLog(log, texts) });
  return {
    async stop() {
      await loop.stop();
      if (!failing) await releaseLease(lease, log, texts.unreleased);
    },
  };
}

/** Never throws: a lease that is not released runs out by itself. */
export async function releaseLease(
  lease: Pick<LeaseStore, 'release'>,
  log: Pick<Logger, 'debug'>,
  unreleased: string,
): Promise<void> {
  await lease.release().catch((error: unknown) => log.debug({ err: error }, unreleased));
}
