import type { PoolQueues } from '#src/db/pools/pool-queues.js';
import type { WorkerStore } from '#src/db/pools/worker-store.js';
import type { Logger } from '#src/lib/logger.js';
import { createOutageLog } from '#src/lib/outage-log.js';
import { repeat, type Repetition } from '#src/lib/repeat.js';

const CHECK_EVERY_MS = 5000;
/** Runs updated at a time, and the pause between batches in ms: a long queue must not slow down triggers. */
const BATCH = 500;
const PAUSE_MS = 500;

export interface PoolWatchDeps {
  queues: PoolQueues;
  workers: Pick<WorkerStore, 'livePools' | 'lastHeartbeat'>;
  log: Logger;
}

/**
 * Records on queued runs that their pool has no runner, and clears that once it has one. Runs in the server, because it
 * must work without any worker. While every pool has a runner, a pass reads a few index keys and writes nothing.
 */
export function watchPools(deps: PoolWatchDeps): Repetition {
  const outage = createOutageLog(deps.log, {
    failing: 'could not watch pools; retrying every 5 s',
    working: 'watching pools again',
  });
  const pass = async () => ((await explainQueuedRuns(deps, BATCH)) ? PAUSE_MS : CHECK_EVERY_MS);
  return repeat(pass, { everyMs: CHECK_EVERY_MS, outage });
}

/**
 * One pass.
 * @param batch most runs of a pool to update
 * @returns whether there may be more to update
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
