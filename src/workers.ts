import { fileURLToPath } from 'node:url';
import { Worker, type NativeConnection, type WorkerOptions } from '@temporalio/worker';
import { runnerQueue, WORKFLOW_QUEUE } from '../workflows/messages.js';
import type { WorkerConfig } from './config.js';

/** Built by `npm run build`; beside dist/src. */
const WORKFLOW_BUNDLE = fileURLToPath(new URL('../workflow-bundle.js', import.meta.url));

/** A cancel reaches an activity with its heartbeats, and Temporal's default lets them through every 24 s only. */
const HEARTBEAT_THROTTLE = '2s';

interface WorkerDeps {
  connection: NativeConnection;
  namespace: string;
  workflowQueueActivities: object;
  runnerQueueActivities: object;
}

/** How fast and how much: of the worker that runs workflows. The benchmark's raw worker uses the same. */
export const workflowOptions = { maxCachedWorkflows: 500 } satisfies Partial<WorkerOptions>;

/** The same of a worker that executes tests, `slots` at a time at most. */
export function poolOptions(slots: number) {
  return { maxConcurrentActivityTaskExecutions: slots } satisfies Partial<WorkerOptions>;
}

/** One Temporal worker for workflows (if this process runs them) and one for each runner pool it serves. */
export async function createWorkers(config: WorkerConfig, deps: WorkerDeps): Promise<Worker[]> {
  const shared: Pick<WorkerOptions, 'connection' | 'namespace' | 'maxHeartbeatThrottleInterval' | 'shutdownGraceTime'> =
    {
      connection: deps.connection,
      namespace: deps.namespace,
      maxHeartbeatThrottleInterval: HEARTBEAT_THROTTLE,
      shutdownGraceTime: config.shutdownGraceMs,
    };
  const workflows = () =>
    Worker.create({
      ...shared,
      ...workflowOptions,
      taskQueue: WORKFLOW_QUEUE,
      workflowBundle: { codePath: WORKFLOW_BUNDLE },
      activities: deps.workflowQueueActivities,
    });
  const pool = (name: string) =>
    Worker.create({
      ...shared,
      ...poolOptions(config.slots),
      taskQueue: runnerQueue(name),
      activities: deps.runnerQueueActivities,
    });
  return Promise.all([...(config.workflows ? [workflows()] : []), ...config.pools.map(pool)]);
}
