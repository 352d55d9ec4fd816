import type { PoolQueues } from '../db/pool-queues.js';
import type { WorkerStore } from '../db/workers.js';
import type { Logger } from '../logger.js';

const LOOK_EVERY_MS = 5000;
/** Runs written at once, and the pause before the next of them, in ms: a long queue must not slow the triggers. */
const BATCH = 500;
const PAUSE_MS = 500;

export interface PoolWatchDeps {
  queues: PoolQueues;
  workers: Pick<WorkerStore, 'livePools' | 'lastSign'>;
  log: Logger;
}

/**
 * Makes queued runs of a pool without a runner say why they wait, and takes it back once there is a runner. In the server:
 * it must work when no worker is up. While every pool has a runner a look reads a few keys of an index and writes nothing.
 * Every call is bounded by the database's time-outs; trouble is logged once an outage.
 */
export function watchPools(deps: PoolWatchDeps): { stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  let stopping = false;
  let failing = false;

  async function look(): Promise<void> {
    let more = false;
    try {
      more = await lookAtPools(deps, BATCH);
      if (failing) deps.log.info('pools are watched again');
      failing = false;
    } catch (error) {
      if (!failing && !stopping) deps.log.warn({ err: error }, 'pools cannot be watched; trying again every 5 s');
      failing = true;
    }
    if (!stopping) timer = setTimeout(() => void look(), more ? PAUSE_MS : LOOK_EVERY_MS);
  }
  void look();

  return {
    stop() {
      stopping = true;
      clearTimeout(timer);
    },
  };
}

/**
 * One look.
 * @param batch runs of a pool that are written at most
 * @returns whether there may be more to write
 * @throws the driver's errors
 */
export async function lookAtPools({ queues, workers }: PoolWatchDeps, batch: number): Promise<boolean> {
  const pools = await queues.pools();
  if (pools.length === 0) return false;
  const live = new Set((await workers.livePools()).map(({ pool }) => pool));
  let written = await queues.clear(
    pools.filter((pool) => live.has(pool)),
    batch,
  );
  let more = written === batch;
  for (const pool of pools) {
    if (live.has(pool)) continue;
    written = await queues.explain(pool, (await workers.lastSign(pool))?.at, batch);
    more ||= written === batch;
  }
  return more;
}
