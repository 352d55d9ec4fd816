#!/usr/bin/env node
import { availableParallelism } from 'node:os';
import { Runtime, type Worker } from '@temporalio/worker';
import { workerConfig } from '#src/config.js';
import { endWhenBlocked } from '#src/lib/end-when-blocked.js';
import { createLogger } from '#src/lib/logger.js';
import { temporalLogger } from '#src/temporal/sdk-logger.js';
import { connectWorker } from '#src/temporal/connect-worker.js';
import { disablePromiseStacks } from '#src/temporal/workflow-threads.js';
import { untilBound, watchInstallation } from '#src/services/instance/watch-installation.js';
import { createWorkers } from '#src/contexts/create-workers.js';
import { createWorkerContext } from '#src/contexts/worker-context.js';
import { main } from './main.js';
import { onShutdown } from './shutdown.js';

/** After the grace period of running tests: time to kill their processes and record their state. */
const OVERHEAD_MS = 9000;

main(async () => {
  const config = workerConfig(process.env, availableParallelism());
  const log = createLogger('worker', config.logLevel);
  disablePromiseStacks();
  Runtime.install({ logger: temporalLogger(log), shutdownSignals: [] });
  let workers: Worker[] = [];
  let running: Promise<unknown> = Promise.resolve();
  let stopPresence = async () => {};
  onShutdown(log, config.shutdownGraceMs + OVERHEAD_MS, async () => {
    shutDown(workers);
    await Promise.all([stopPresence(), running]);
  });

  const { connection, namespace } = await connectWorker(log);
  const context = await createWorkerContext(config, log);
  const temporal = await Promise.race([untilBound(context.binding, log), context.databaseRefused]);
  const { own, legacy } = await createWorkers(config, { connection, namespace, temporal, ...context });
  workers = [...own, ...legacy];
  let refusal: Error | undefined;
  const watch = watchInstallation(
    {
      binding: context.binding,
      store: context.installations,
      onRefused(error) {
        if (refusal) return;
        refusal = error;
        log.error({ err: error }, 'the worker is exiting');
        shutDown(workers);
      },
      onLegacyNamesEnded: () => shutDown(legacy),
      log,
    },
    temporal.hasLegacyNames,
  );
  endWhenBlocked('worker', (error) => log.warn({ err: error }, 'the event loop of this worker is not watched'));
  running = Promise.all(workers.map((worker) => worker.run())).finally(async () => {
    watch.stop();
    await stopPresence();
    await context.close();
    await connection.close();
  });
  stopPresence = context.startHeartbeats().stop;
  const { pools, workflows, slots, targetMemory, deployment } = config;
  log.info({ pools, workflows, slots, targetMemory, deployment }, 'worker ready');
  await Promise.race([running, context.databaseRefused]);
  if (refusal) throw refusal;
});

function shutDown(workers: Worker[]): void {
  for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
}
