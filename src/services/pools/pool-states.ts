import type { PoolQueues } from '#src/db/pools/pool-queues.js';
import type { LivePool, WorkerStore } from '#src/db/pools/worker-store.js';
import { readWithin } from '#src/services/instance/read-within.js';
import type { QueueState } from '#src/temporal/describe-queue.js';
import { countRunners } from './count-runners.js';

/** Maximum number of pools whose queue is read from Temporal. */
const MAX_DESCRIBED = 100;
const DESCRIBE_MS = 2000;

export interface PoolState extends LivePool {
  /** Its task queue in Temporal; absent when Temporal does not respond, or the queue was not read. */
  queue?: QueueState | undefined;
}

export interface PoolStatesDeps {
  workers: Pick<WorkerStore, 'livePools' | 'knownPools'>;
  queues: Pick<PoolQueues, 'pools'>;
  describeRunnerQueue(pool: string): Promise<QueueState>;
}

/** Reads the pools that had a worker within a week or have queued runs, by name. Throws the database driver's errors. */
export type ReadPoolStates = () => Promise<PoolState[]>;

export function createPoolStates({ workers, queues, describeRunnerQueue }: PoolStatesDeps): ReadPoolStates {
  return async () => {
    const pools = await countRunners({ workers, queues });
    pools.sort((a, b) => (a.pool < b.pool ? -1 : 1));
    const describe = (pool: string) => readWithin(DESCRIBE_MS, () => describeRunnerQueue(pool));
    return Promise.all(
      pools.map(async (one, index) => ({
        ...one,
        queue: index < MAX_DESCRIBED ? await describe(one.pool) : undefined,
      })),
    );
  };
}
