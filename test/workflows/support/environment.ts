import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, type WorkflowHandle } from '@temporalio/client';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import {
  bundleWorkflowCode,
  DefaultLogger,
  makeTelemetryFilterString,
  Runtime,
  Worker,
  type WorkflowBundle,
} from '@temporalio/worker';
import { startTemporal } from '#tools/stack/servers/run-temporal.js';
import type { InstallationTemporal } from '#src/temporal/connect.js';
import { runnerQueue, searchAttributes, workflowQueue } from '#workflows/messages.js';
import { eventually } from '#test/support/eventually.js';
import type { Activities } from './stub-activities.js';

const WORKFLOWS = fileURLToPath(new URL('../../../workflows/index.ts', import.meta.url));
const INSTALLATION = '0123456789ab';
/** A cancellation reaches an activity with its heartbeats, so do not throttle them. */
const HEARTBEAT_THROTTLE = '50ms';

/** A real Temporal and the bundled workflows; activities are provided by each test. */
export interface WorkflowEnvironment {
  temporal: InstallationTemporal;
  /** Runs workers with these activities until `use` has ended; without `runner`, no worker polls the runner queue. */
  withWorkers<T>(activities: Activities, use: () => Promise<T>, options?: { runner?: boolean }): Promise<T>;
  /** The same in a new namespace, which lacks Runhook's search attributes. */
  withoutAttributes(namespace: string): Promise<Omit<WorkflowEnvironment, 'close' | 'withoutAttributes'>>;
  close(): Promise<void>;
}

/** The workflows of a folder's index as one file, bundled like in the build. */
export function bundle(workflowsPath: string = WORKFLOWS): Promise<WorkflowBundle> {
  return bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('ERROR') });
}

/** To be called once per process, because it sets the SDK's runtime. */
export async function startWorkflowEnvironment(): Promise<WorkflowEnvironment> {
  Runtime.install({
    logger: new DefaultLogger('ERROR'),
    shutdownSignals: [],
    // Cases cause warnings of the core.
    telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR' }) } },
  });
  const folder = await mkdtemp(join(tmpdir(), 'runhook-workflows-'));
  const [server, workflowBundle] = await Promise.all([
    startTemporal({
      logFile: join(folder, 'temporal.log'),
      // Suites of tests are small, so they continue as new early.
      dynamicConfig: { 'limit.historyCount.suggestContinueAsNew': '150' },
    }),
    bundle(),
  ]);
  const environment = await TestWorkflowEnvironment.createFromExistingServer({ address: server.address });
  const shared = {
    connection: environment.nativeConnection,
    maxHeartbeatThrottleInterval: HEARTBEAT_THROTTLE,
    defaultHeartbeatThrottleInterval: HEARTBEAT_THROTTLE,
  };
  const { connection } = environment;
  const queue = workflowQueue(INSTALLATION);
  const { client } = environment;

  const inNamespace = (
    namespace: string,
    client: Client,
  ): Omit<WorkflowEnvironment, 'close' | 'withoutAttributes'> => ({
    temporal: { client, connection, namespace, installationId: INSTALLATION, hasLegacyNames: false },

    async withWorkers({ executeTest, ...others }, use, { runner = true } = {}) {
      const workflows = await Worker.create({
        ...shared,
        namespace,
        taskQueue: queue,
        workflowBundle,
        activities: others,
      });
      if (!runner) return workflows.runUntil(use);
      const pool = await Worker.create({
        ...shared,
        namespace,
        taskQueue: runnerQueue(queue, 'default'),
        activities: { executeTest },
      });
      return workflows.runUntil(() => pool.runUntil(use));
    },
  });

  return {
    ...inNamespace('default', client),

    async withoutAttributes(namespace) {
      const retention = { workflowExecutionRetentionPeriod: { seconds: 86_400 as never } };
      await connection.workflowService.registerNamespace({ namespace, ...retention });
      // Temporal needs a moment until it serves the namespace.
      await eventually(
        () =>
          connection.workflowService
            .listWorkflowExecutions({ namespace })
            .then(() => true)
            .catch(() => undefined),
        30_000,
      );
      return inNamespace(namespace, new Client({ connection, namespace }));
    },

    async close() {
      await environment.teardown();
      await server.stop();
      await rm(folder, { recursive: true });
    },
  };
}

/** The status that operators see in the Temporal UI. */
export async function shownStatus(handle: WorkflowHandle): Promise<string | undefined> {
  return (await handle.describe()).typedSearchAttributes.get(searchAttributes.status);
}

/** The attributes of a workflow's events of one kind so far, in order. */
export async function eventsOf<K extends string>(handle: WorkflowHandle, attributes: K) {
  const { events } = await handle.fetchHistory();
  type Event = NonNullable<typeof events>[number];
  return (events ?? []).flatMap((event) => {
    const found = event[attributes as keyof Event] as Event[K & keyof Event];
    return found ? [found as NonNullable<typeof found>] : [];
  });
}
