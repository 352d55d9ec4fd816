import type { PoolQueues } from '#src/db/pools/pool-queues.js';
import type { LivePool, WorkerStore } from '#src/db/pools/worker-store.js';

/** Live workers and their slots by pool, including pools without workers. */
export async function countRunners(deps: {
  workers: Pick<WorkerStore, 'livePools' | 'knownPools'>;
  queues: Pick<PoolQueues, 'pools'>;
}): Promise<LivePool[]> {
  const [live, known, queued] = await Promise.all([
    deps.workers.livePools(),
    deps.workers.knownPools(),
    deps.queues.pools(),
  ]);
  const byPool = new Map([...known, ...queued].map((pool) => [pool, { pool, runners: 0, slots: 0 }]));
  for (const one of live) byPool.set(one.pool, one);
  return [...byPool.values()];
}
