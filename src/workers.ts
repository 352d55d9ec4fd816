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
      taskQueue: WORKFLOW_QUEUE,
      workflowBundle: { codePath: WORKFLOW_BUNDLE },
      activities: deps.workflowQueueActivities,
      maxCachedWorkflows: 500,
    });
  const pool = (name: string) =>
    Worker.create({
      ...shared,
      taskQueue: runnerQueue(name),
      activities: deps.runnerQueueActivities,
      maxConcurrentActivityTaskExecutions: config.slots,
    });
  return Promise.all([...(config.workflows ? [workflows()] : []), ...config.pools.map(pool)]);
}
