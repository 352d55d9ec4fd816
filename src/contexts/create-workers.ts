import { fileURLToPath } from 'node:url';
import { ResourceBasedController, Worker, type NativeConnection, type WorkerOptions } from '@temporalio/worker';
import { LEGACY_QUEUE, runnerQueue, workflowQueue } from '#workflows/messages.js';
import type { InstallationTemporal } from '#src/temporal/connect.js';
import type { DeploymentConfig, WorkerConfig } from '#src/config.js';

/** Built by `npm run build`, next to dist/src. */
const WORKFLOW_BUNDLE = fileURLToPath(new URL('../../workflow-bundle.js', import.meta.url));

/** The SDK throttles heartbeats to this share of their interval: less than 1, so that none is delayed. */
const HEARTBEAT_THROTTLE = 0.8;

/** Delay between slots by memory, because a test's memory usage is visible only some time after its start. */
const SLOT_EVERY = '500ms';
/** More than possible, so that CPU usage never limits slots: with busy neighbors, a worker would run one test at a time. */
const TARGET_CPU = 2;

interface WorkerDeps {
  connection: NativeConnection;
  namespace: string;
  temporal: Pick<InstallationTemporal, 'installationId' | 'hasLegacyNames'>;
  workflowQueueActivities: object;
  runnerQueueActivities: object;
}

/**
 * Options of the workflow worker; also used by the benchmark. The cache fits two suites at full parallelism; workflows
 * outside the cache are replayed from their history at each task.
 */
export const workflowOptions = { maxCachedWorkflows: 1000 } satisfies Partial<WorkerOptions>;

/**
 * Options of the workers that execute tests. Pools with the same options share the controller of memory usage.
 * @param slots maximum number of concurrent tests per pool
 * @param targetMemory see WorkerConfig
 */
export function poolOptions(
  slots: number,
  targetMemory?: number,
): Pick<WorkerOptions, 'tuner' | 'maxConcurrentActivityTaskExecutions'> {
  if (targetMemory === undefined) return { maxConcurrentActivityTaskExecutions: slots };
  const controller = ResourceBasedController.create({ targetMemoryUsage: targetMemory, targetCpuUsage: TARGET_CPU });
  return {
    tuner: { controller, activityTaskSlotOptions: { minimumSlots: 1, maximumSlots: slots, rampThrottle: SLOT_EVERY } },
  };
}

/**
 * One Temporal worker for workflows (if this process runs them) and one for each runner pool; `legacy`: the same for the
 * queues of versions without installation ids, while those may contain tasks.
 */
export async function createWorkers(
  config: WorkerConfig,
  deps: WorkerDeps,
): Promise<{ own: Worker[]; legacy: Worker[] }> {
  const shared = {
    connection: deps.connection,
    namespace: deps.namespace,
    maxHeartbeatThrottleInterval: HEARTBEAT_THROTTLE * config.heartbeatMs,
    shutdownGraceTime: config.shutdownGraceMs,
    ...(config.deployment ? versioned(config.deployment) : {}),
  } satisfies Partial<WorkerOptions>;
  const pools = poolOptions(config.slots, config.targetMemory);
  const workflows = (taskQueue: string) =>
    Worker.create({
      ...shared,
      ...workflowOptions,
      taskQueue,
      workflowBundle: { codePath: WORKFLOW_BUNDLE },
      activities: deps.workflowQueueActivities,
    });
  const pool = (queue: string, name: string) =>
    Worker.create({ ...shared, ...pools, taskQueue: runnerQueue(queue, name), activities: deps.runnerQueueActivities });
  const workersOf = (queue: string) =>
    Promise.all([...(config.workflows ? [workflows(queue)] : []), ...config.pools.map((name) => pool(queue, name))]);
  const { installationId, hasLegacyNames } = deps.temporal;
  const [own, legacy] = await Promise.all([
    workersOf(workflowQueue(installationId)),
    hasLegacyNames ? workersOf(LEGACY_QUEUE) : [],
  ]);
  return { own, legacy };
}

function versioned({ name, buildId, versioning }: DeploymentConfig): Pick<WorkerOptions, 'workerDeploymentOptions'> {
  return {
    workerDeploymentOptions: {
      useWorkerVersioning: true,
      version: { deploymentName: name, buildId },
      defaultVersioningBehavior: versioning,
    },
  };
}
