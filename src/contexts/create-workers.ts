import { fileURLToPath } from 'node:url';
import { ResourceBasedController, Worker, type NativeConnection, type WorkerOptions } from '@temporalio/worker';
import { LEGACY_QUEUE, runnerQueue, workflowQueue } from '#workflows/messages.js';
import type { InstallationTemporal } from '#src/temporal/connect.js';
import type { DeploymentConfig, WorkerConfig } from '#src/config.js';

/** Built by `npm run build`; beside dist/src. */
const WORKFLOW_BUNDLE = fileURLToPath(new URL('../../workflow-bundle.js', import.meta.url));

/** The SDK holds heartbeats back for up to so much of the time between two: less than all of it, so that none waits. */
const HEARTBEAT_THROTTLE = 0.8;

/** With slots by memory: a test's memory shows only some time after its start. */
const SLOT_EVERY = '500ms';
/**
 * More than there can be: busy processors hold no slot back. On a machine whose neighbours are busy a worker would come
 * down to one test at a time, fewer than it has with a fixed number; against too many at once there is the limit.
 */
const TARGET_CPU = 2;

interface WorkerDeps {
  connection: NativeConnection;
  namespace: string;
  temporal: Pick<InstallationTemporal, 'installationId' | 'hasLegacyNames'>;
  workflowQueueActivities: object;
  runnerQueueActivities: object;
}

/**
 * How fast and how much: of the worker that runs workflows. The benchmark's raw worker uses the same. In the cache two
 * suites at full width fit; a workflow that does not is replayed from its history at each of its steps.
 */
export const workflowOptions = { maxCachedWorkflows: 1000 } satisfies Partial<WorkerOptions>;

/**
 * The same of the workers that execute tests. Slots are each pool's own; what holds them back by memory is one for all
 * pools that are given the same answer.
 * @param slots tests of a pool at a time at most
 * @param targetMemory as in WorkerConfig
 */
export function poolOptions(
  slots: number,
  targetMemory?: number,
): Pick<WorkerOptions, 'tuner' | 'maxConcurrentActivityTaskExecutions'> {
  if (targetMemory === undefined) return { maxConcurrentActivityTaskExecutions: slots };
  const controller = ResourceBasedController.create({ targetMemoryUsage: targetMemory, targetCpuUsage: TARGET_CPU });
  return {
    tuner: {
      controller,
      activityTaskSlotOptions: { minimumSlots: 1, maximumSlots: slots, rampThrottle: SLOT_EVERY },
    },
  };
}

/**
 * One Temporal worker for workflows (if this process runs them) and one for each runner pool it serves; `legacy`: the
 * same for the queues of versions without installation ids, while something of those may be left.
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
