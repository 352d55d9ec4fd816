import pTimeout from 'p-timeout';
import type { WorkerFacts, WorkerStore } from '#src/db/pools/worker-store.js';
import type { Logger } from '#src/lib/logger.js';
import { createOutageLog } from '#src/lib/outage-log.js';
import { repeat } from '#src/lib/repeat.js';

const HEARTBEAT_MS = 10_000;
/** Sooner after a failure: workers must be listed soon after an outage of the database. */
const RETRY_MS = 1000;
const REMOVE_EVERY_HEARTBEATS = 360;
const STOP_MS = 2000;

export interface Heartbeats {
  /** Marks the worker as stopped, with a deadline of 2 s. If that fails, the worker counts as dead after 35 s. */
  stop(): Promise<void>;
}

/**
 * Records every 10 s that this worker process is alive. An unavailable database is logged once per outage and has no
 * other effect.
 * @param intervals between two heartbeats, and after a failed one, in ms
 */
export function startHeartbeats(
  deps: { workers: Pick<WorkerStore, 'heartbeat' | 'markStopped' | 'removeOld'>; worker: WorkerFacts; log: Logger },
  intervals = { heartbeatMs: HEARTBEAT_MS, retryMs: RETRY_MS },
): Heartbeats {
  const { workers, worker, log } = deps;
  let count = 0;

  async function send(): Promise<void> {
    await workers.heartbeat(worker);
    if (count++ % REMOVE_EVERY_HEARTBEATS === 0) await workers.removeOld();
  }
  const outage = createOutageLog(log, {
    failing: 'could not send a worker heartbeat; the worker keeps running',
    working: 'worker heartbeats work again',
  });
  const sending = repeat(send, { everyMs: intervals.heartbeatMs, retryMs: intervals.retryMs, outage });

  async function stop(): Promise<void> {
    // After a heartbeat in flight, which would create the record again.
    const marked = sending.stop().then(() => workers.markStopped(worker._id));
    const logged = marked.catch((error: unknown) => {
      log.warn({ err: error }, 'could not deregister this worker; it is considered dead in 35 s');
    });
    await pTimeout(logged, { milliseconds: STOP_MS, message: false });
  }

  let stopped: Promise<void> | undefined;
  return { stop: () => (stopped ??= stop()) };
}
