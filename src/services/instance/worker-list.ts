import type { PoolQueues } from '#src/db/pools/pool-queues.js';
import type { SeenWorker, WorkerStore } from '#src/db/pools/worker-store.js';
import type { QueueState } from '#src/temporal/describe-queue.js';
import type { PoolState, ReadPoolStates } from '#src/services/pools/pool-states.js';
import { readWithin } from './read-within.js';

/** The workers with the latest heartbeats are listed. */
const MAX_WORKERS = 200;
const DESCRIBE_MS = 2000;

export interface ListedPool extends PoolState {
  /** Number of queued test runs. */
  queued: number;
}

export interface WorkersState {
  /** Pools with a worker in the last week or with queued runs, by name. */
  pools: ListedPool[];
  /** Latest heartbeat first. */
  workers: SeenWorker[];
  /** State of the workflow task queue. */
  workflowQueue?: QueueState | undefined;
}

export interface InstanceWorkersDeps {
  poolStates: ReadPoolStates;
  workers: Pick<WorkerStore, 'seen'>;
  queues: Pick<PoolQueues, 'lengths'>;
  describeWorkflowQueue(): Promise<QueueState>;
}

/** Lists workers and pools with their queues. @throws the driver's error when the database does not respond */
export function createInstanceWorkers(deps: InstanceWorkersDeps): () => Promise<WorkersState> {
  const { poolStates, workers, queues, describeWorkflowQueue } = deps;
  return async () => {
    const workflowQueue = readWithin(DESCRIBE_MS, describeWorkflowQueue);
    const [states, lengths, seen] = await Promise.all([poolStates(), queues.lengths(), workers.seen(MAX_WORKERS)]);
    const queued = new Map(lengths.map(({ pool, queued }) => [pool, queued]));
    const pools = states.map((one) => ({ ...one, queued: queued.get(one.pool) ?? 0 }));
    return { pools, workers: seen, workflowQueue: await workflowQueue };
  };
}
