import type { PoolQueues } from '#src/db/pools/pool-queues.js';
import type { LivePool, SeenWorker, WorkerStore } from '#src/db/pools/worker-store.js';
import type { QueueState } from '#src/temporal/describe-queue.js';
import { countRunners } from '#src/services/pools/count-runners.js';
import { readWithin } from './read-within.js';

/** Those that signed last; more are not listed. */
const MAX_WORKERS = 200;
/** Temporal is asked about so many pools at most. */
const MAX_ASKED = 20;
const ASK_MS = 2000;

export interface PoolState extends LivePool {
  /** Test runs that wait in it. */
  queued: number;
  /** As Temporal knows its task queue; absent when Temporal does not answer, or was not asked. */
  queue?: QueueState | undefined;
}

export interface WorkersState {
  /** By name: pools with a worker within a week, or with queued runs. */
  pools: PoolState[];
  /** The last sign first. */
  workers: SeenWorker[];
  /** Of the workflows' task queue. */
  workflowQueue?: QueueState | undefined;
}

export interface InstanceWorkersDeps {
  workers: Pick<WorkerStore, 'livePools' | 'knownPools' | 'seen'>;
  queues: Pick<PoolQueues, 'pools' | 'lengths'>;
  describeRunnerQueue(pool: string): Promise<QueueState>;
  describeWorkflowQueue(): Promise<QueueState>;
}

/** Who runs tests, and what waits for whom. @throws the driver's error when the database does not answer */
export function createInstanceWorkers(deps: InstanceWorkersDeps): () => Promise<WorkersState> {
  const { workers, queues, describeRunnerQueue, describeWorkflowQueue } = deps;
  return async () => {
    const workflowQueue = readWithin(ASK_MS, describeWorkflowQueue);
    const [live, lengths, seen] = await Promise.all([
      countRunners({ workers, queues }),
      queues.lengths(),
      workers.seen(MAX_WORKERS),
    ]);
    const queued = new Map(lengths.map(({ pool, queued }) => [pool, queued]));
    const pools = live
      .sort((a, b) => (a.pool < b.pool ? -1 : 1))
      .map(async (one, index) => ({
        ...one,
        queued: queued.get(one.pool) ?? 0,
        queue: index < MAX_ASKED ? await readWithin(ASK_MS, () => describeRunnerQueue(one.pool)) : undefined,
      }));
    return { pools: await Promise.all(pools), workers: seen, workflowQueue: await workflowQueue };
  };
}
