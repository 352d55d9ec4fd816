import { fileURLToPath } from 'node:url';
import { NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { poolOptions, workflowOptions } from '#src/contexts/create-workers.js';

/*
 * The worker process of the raw suite, with the product's settings. From the environment: TEMPORAL_ADDRESS,
 * RAW_SLOTS and the queues RAW_WORKFLOW_QUEUE and RAW_ACTIVITY_QUEUE, which may be the same.
 */

const { TEMPORAL_ADDRESS, RAW_SLOTS, RAW_WORKFLOW_QUEUE = '', RAW_ACTIVITY_QUEUE = '' } = process.env;
Runtime.install({ shutdownSignals: ['SIGTERM'] });
const connection = await NativeConnection.connect({ address: TEMPORAL_ADDRESS });
const activities = { nothing: async () => {} };
const pool = { connection, activities, ...poolOptions(Number(RAW_SLOTS)), taskQueue: RAW_ACTIVITY_QUEUE };
const workflows = {
  connection,
  ...workflowOptions,
  workflowsPath: fileURLToPath(new URL('workflows.ts', import.meta.url)),
  taskQueue: RAW_WORKFLOW_QUEUE,
};
const workers =
  RAW_ACTIVITY_QUEUE === RAW_WORKFLOW_QUEUE
    ? [await Worker.create({ ...pool, ...workflows })]
    : [await Worker.create(workflows), await Worker.create(pool)];
console.log('"raw worker ready"');
await Promise.all(workers.map((worker) => worker.run()));
await connection.close();
