import type { WorkerFacts, WorkerStore } from '../db/workers.js';
import type { Logger } from '../logger.js';

const SIGN_EVERY_MS = 10_000;
/** After a failed sign: whoever looks just after an outage of the database must find the workers. */
const AGAIN_AFTER_MS = 1000;
const REMOVE_EVERY_SIGNS = 360;
const SIGN_OFF_MS = 2000;

export interface Presence {
  /** Says, once, that this worker takes no new work: within 2 s or not at all, then it counts as dead 35 s later. */
  stop(): Promise<void>;
}

/**
 * Shows that this worker process is there, every 10 s from now on. A database that is away is logged once an outage and
 * hinders nothing else.
 * @param everyMs between two signs, and after a failed one, in ms
 */
export function startPresence(
  deps: { workers: Pick<WorkerStore, 'sign' | 'signOff' | 'removeOld'>; worker: WorkerFacts; log: Logger },
  everyMs = { sign: SIGN_EVERY_MS, again: AGAIN_AFTER_MS },
): Presence {
  const { workers, worker, log } = deps;
  let timer: NodeJS.Timeout | undefined;
  let stopping = false;
  let failing = false;
  let signs = 0;

  async function sign(): Promise<void> {
    try {
      await workers.sign(worker);
      if (signs++ % REMOVE_EVERY_SIGNS === 0) await workers.removeOld();
      if (failing) log.info('this worker shows its presence again');
      failing = false;
    } catch (error) {
      if (!failing && !stopping) log.warn({ err: error }, 'this worker cannot show its presence; it keeps working');
      failing = true;
    }
    if (!stopping) timer = setTimeout(() => (signing = sign()), failing ? everyMs.again : everyMs.sign);
  }
  let signing = sign();

  async function stop(): Promise<void> {
    stopping = true;
    clearTimeout(timer);
    let late: NodeJS.Timeout | undefined;
    const deadline = new Promise<void>((resolve) => (late = setTimeout(resolve, SIGN_OFF_MS)));
    // Behind a sign on its way, which could be the first.
    const signOff = signing.then(() => workers.signOff(worker._id));
    const logged = signOff.catch((error: unknown) => {
      log.warn({ err: error }, 'this worker could not sign off; it counts as dead in 35 s');
    });
    await Promise.race([logged, deadline]);
    clearTimeout(late);
  }

  let stopped: Promise<void> | undefined;
  return { stop: () => (stopped ??= stop()) };
}
