import type { PoolQueues } from '#src/db/pools/pool-queues.js';
import type { Check } from '#src/domain/check.js';
import type { PoolState, ReadPoolStates } from './pool-states.js';

/** Workers with free slots take a test within milliseconds, and within seconds on an overloaded machine. */
const STALLED_MS = 60_000;

export interface PoolCheckDeps {
  poolStates: ReadPoolStates;
  queues: Pick<PoolQueues, 'countRunning'>;
}

/**
 * Finds pools whose live workers have free slots but have not taken a waiting test for a minute.
 * @returns none if no queue could be read
 * @throws the driver's error when the database does not respond
 */
export async function checkPools({ poolStates, queues }: PoolCheckDeps, stalledMs = STALLED_MS): Promise<Check[]> {
  const pools = await poolStates();
  if (!pools.some(({ queue }) => queue)) return [];
  const waiting = pools.filter(({ queue, runners }) => queue && runners > 0 && queue.oldestMs > stalledMs);
  const stalled = await Promise.all(
    waiting.map(async (pool) => {
      const running = await queues.countRunning(pool.pool, pool.slots);
      return running < pool.slots ? [stalledPool(pool, running)] : [];
    }),
  );
  if (stalled.flat().length > 0) return stalled.flat();
  return [{ level: 'ok', name: 'Pools', message: 'workers with free slots take waiting tests' }];
}

function stalledPool({ pool, runners, slots, queue }: PoolState, running: number): Check {
  const seconds = Math.round(queue!.oldestMs / 1000);
  const workers = runners === 1 ? 'its worker uses' : `its ${runners} workers use`;
  return {
    level: 'warn',
    name: `Pool ${pool}`,
    message: `a test has been waiting for ${seconds} s, although ${workers} only ${running} of ${slots} slots`,
    remedy:
      'Check the logs of these workers, their memory (RUNHOOK_TARGET_MEMORY) and, with worker versioning, their RUNHOOK_BUILD_ID. Then restart them. The test starts automatically.',
  };
}
