import type { PoolQueues } from '#src/db/pools/pool-queues.js';
import type { WorkerStore } from '#src/db/pools/worker-store.js';
import type { Logger } from '#src/lib/logger.js';
import { createOutageLog } from '#src/lib/outage-log.js';
import { repeat, type Repetition } from '#src/lib/repeat.js';

const LOOK_EVERY_MS = 5000;
/** Runs written at once, and the pause before the next of them, in ms: a long queue must not slow the triggers. */
const BATCH = 500;
const PAUSE_MS = 500;

export interface PoolWatchDeps {
  queues: PoolQueues;
  workers: Pick<WorkerStore, 'livePools' | 'lastHeartbeat'>;
  log: Logger;
}

/**
 * Makes queued runs of a pool without a runner say why they wait, and takes it back once there is a runner. In the server:
 * it must work when no worker is up. While every pool has a runner a look reads a few keys of an index and writes nothing.
 * Every call is bounded by the database's time-outs; trouble is logged once an outage.
 */
export function watchPools(deps: PoolWatchDeps): Repetition {
  const outage = createOutageLog(deps.log, {
    failing: 'could not watch pools; retrying every 5 s',
    working: 'watching pools again',
  });
  const look = async () => ((await explainQueuedRuns(deps, BATCH)) ? PAUSE_MS : LOOK_EVERY_MS);
  return repeat(look, { everyMs: LOOK_EVERY_MS, outage });
}

/**
 * One look.
 * @param batch runs of a pool that are written at most
 * @returns whether there may be more to write
 * @throws the driver's errors
 */
export async function explainQueuedRuns({ queues, workers }: PoolWatchDeps, batch: number): Promise<boolean> {
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
    written = await queues.explain(pool, (await workers.lastHeartbeat(pool))?.at, batch);
    more ||= written === batch;
  }
  return more;
}
