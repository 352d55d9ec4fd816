import type { PoolQueues } from '#src/db/pools/pool-queues.js';
import type { LivePool, SeenWorker, WorkerStore } from '#src/db/pools/worker-store.js';
import type { QueueState } from '#src/temporal/describe-queue.js';
import { countRunners } from '#src/services/pools/count-runners.js';
import { readWithin } from './read-within.js';

/** The workers with the latest heartbeats are listed. */
const MAX_WORKERS = 200;
/** Most pools whose task queue is described, and the deadline of each, in ms. */
const MAX_DESCRIBED = 20;
const DESCRIBE_MS = 2000;

export interface PoolState extends LivePool {
  /** Number of queued test runs. */
  queued: number;
  /** Temporal's state of the task queue; absent when Temporal does not respond, or beyond MAX_DESCRIBED. */
  queue?: QueueState | undefined;
}

export interface WorkersState {
  /** Pools with a worker in the last week or with queued runs, by name. */
  pools: PoolState[];
  /** Latest heartbeat first. */
  workers: SeenWorker[];
  /** State of the workflow task queue. */
  workflowQueue?: QueueState | undefined;
}

export interface InstanceWorkersDeps {
  workers: Pick<WorkerStore, 'livePools' | 'knownPools' | 'seen'>;
  queues: Pick<PoolQueues, 'pools' | 'lengths'>;
  describeRunnerQueue(pool: string): Promise<QueueState>;
  describeWorkflowQueue(): Promise<QueueState>;
}

/** Lists workers and pools with their queues. @throws the driver's error when the database does not respond */
export function createInstanceWorkers(deps: InstanceWorkersDeps): () => Promise<WorkersState> {
  const { workers, queues, describeRunnerQueue, describeWorkflowQueue } = deps;
  return async () => {
    const workflowQueue = readWithin(DESCRIBE_MS, describeWorkflowQueue);
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
        queue: index < MAX_DESCRIBED ? await readWithin(DESCRIBE_MS, () => describeRunnerQueue(one.pool)) : undefined,
      }));
    return { pools: await Promise.all(pools), workers: seen, workflowQueue: await workflowQueue };
  };
}
