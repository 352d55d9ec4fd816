#!/usr/bin/env node
import { availableParallelism } from 'node:os';
import { Runtime, type Worker } from '@temporalio/worker';
import { workerConfig } from '../config.js';
import { createLogger } from '../logger.js';
import { temporalLogger } from '../temporal/logger.js';
import { connectWorker } from '../temporal/connect-worker.js';
import { leaveOutPromiseStacks } from '../temporal/workflow-threads.js';
import { createWorkers } from '../workers.js';
import { createWorkerContext } from '../worker-context.js';
import { main } from './main.js';
import { onShutdown } from './shutdown.js';

/** Beside the grace that running tests have: ending their processes and noting what became of them. */
const OVERHEAD_MS = 9000;

main(async () => {
  const config = workerConfig(process.env, availableParallelism());
  const log = createLogger('worker', config.logLevel);
  leaveOutPromiseStacks();
  Runtime.install({ logger: temporalLogger(log), shutdownSignals: [] });
  let workers: Worker[] = [];
  let running: Promise<unknown> = Promise.resolve();
  let signOff = async () => {};
  onShutdown(log, config.shutdownGraceMs + OVERHEAD_MS, async () => {
    for (const worker of workers) worker.shutdown();
    await Promise.all([signOff(), running]);
  });

  const { connection, namespace } = await connectWorker(log);
  const context = await createWorkerContext(config, log);
  workers = await createWorkers(config, { connection, namespace, ...context });
  running = Promise.all(workers.map((worker) => worker.run())).finally(async () => {
    await signOff();
    await context.close();
    await connection.close();
  });
  signOff = context.startPresence().stop;
  const { pools, workflows, slots, targetMemory, deployment } = config;
  log.info({ pools, workflows, slots, targetMemory, deployment }, 'worker ready');
  await running;
});
