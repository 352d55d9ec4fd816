import pTimeout from 'p-timeout';
import type { WorkerFacts, WorkerStore } from '#src/db/pools/worker-store.js';
import type { Logger } from '#src/lib/logger.js';
import { createOutageLog } from '#src/lib/outage-log.js';
import { repeat } from '#src/lib/repeat.js';

const SIGN_EVERY_MS = 10_000;
/** After a failed sign: whoever looks just after an outage of the database must find the workers. */
const AGAIN_AFTER_MS = 1000;
const REMOVE_EVERY_SIGNS = 360;
const SIGN_OFF_MS = 2000;

export interface Heartbeats {
  /** Says, once, that this worker takes no new work: within 2 s or not at all, then it counts as dead 35 s later. */
  stop(): Promise<void>;
}

/**
 * Records that this worker process is alive, every 10 s from now on. An unavailable database is logged once per outage
 * and affects nothing else.
 * @param everyMs between two signs, and after a failed one, in ms
 */
export function startHeartbeats(
  deps: { workers: Pick<WorkerStore, 'heartbeat' | 'markStopped' | 'removeOld'>; worker: WorkerFacts; log: Logger },
  everyMs = { sign: SIGN_EVERY_MS, again: AGAIN_AFTER_MS },
): Heartbeats {
  const { workers, worker, log } = deps;
  let signs = 0;

  async function sign(): Promise<void> {
    await workers.heartbeat(worker);
    if (signs++ % REMOVE_EVERY_SIGNS === 0) await workers.removeOld();
  }
  const outage = createOutageLog(log, {
    failing: 'could not send a worker heartbeat; the worker keeps running',
    working: 'worker heartbeats work again',
  });
  const signing = repeat(sign, { everyMs: everyMs.sign, retryMs: everyMs.again, outage });

  async function stop(): Promise<void> {
    // Behind a sign on its way, which could be the first.
    const signOff = signing.stop().then(() => workers.markStopped(worker._id));
    const logged = signOff.catch((error: unknown) => {
      log.warn({ err: error }, 'could not deregister this worker; it is considered dead in 35 s');
    });
    await pTimeout(logged, { milliseconds: SIGN_OFF_MS, message: false });
  }

  let stopped: Promise<void> | undefined;
  return { stop: () => (stopped ??= stop()) };
}
