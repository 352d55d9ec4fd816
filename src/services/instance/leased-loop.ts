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
 * Repeats a job that one server runs at a time; `pass` acquires the lease. `stop` releases the lease for the next server,
 * except after a failed pass: it must not wait for an unavailable database, and the lease expires anyway.
 */
export function leasedLoop(pass: Parameters<typeof repeat>[0], options: LeasedLoopOptions): Repetition {
  const { lease, log, texts, everyMs } = options;
  let failing = false;
  const watched = async (isStopping: () => boolean) => {
    failing = true;
    const pauseMs = await pass(isStopping);
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

/** Never throws: a lease that is not released expires. */
export async function releaseLease(
  lease: Pick<LeaseStore, 'release'>,
  log: Pick<Logger, 'debug'>,
  unreleased: string,
): Promise<void> {
  await lease.release().catch((error: unknown) => log.debug({ err: error }, unreleased));
}
