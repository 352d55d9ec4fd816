import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerConfig } from './config.js';
import { createServerContext } from './context.js';
import { networksOf } from './domain/networks.js';
import type { Logger } from './logger.js';
import { createMetrics } from './server/metrics.js';
import { createOpsServer } from './server/ops-server.js';
import type { Drain } from './server/plugins/draining.js';
import { createServer } from './server/server.js';

const ANSWERS_DEADLINE_MS = 6000;
/** How long a start waits for a database that may be down, in ms: then the server listens all the same, and answers 503. */
const DATABASE_DEADLINE_MS = 3000;

/**
 * Starts both listeners and the dispatcher. `stop`: not ready; after a moment for load balancers to see that, refuse,
 * finish answers, hand pending starts to the sweep, close.
 */
export async function startServer(config: ServerConfig, log: Logger): Promise<{ stop: () => Promise<void> }> {
  let drain: Drain = 'serving';
  const context = createServerContext(config, log, () => drain !== 'serving');
  const metrics = createMetrics(context.metricsSource, () => context.clock.now().getTime());
  context.onStarted((run) =>
    metrics.dispatchDelaySeconds.observe((context.clock.now().getTime() - run.queuedAt.getTime()) / 1000),
  );

  const server = await createServer(
    {
      host: config.host,
      port: config.port,
      checkAnswers: config.checkAnswers,
      trustedProxies: networksOf(config.trustedProxies),
      connections: config.limits.connections,
      connectionsPerAddress: config.limits.connectionsPerAddress,
    },
    { ...context.routes, ...context.doors, log, metrics, drain: () => drain },
  );
  const ops = createOpsServer(
    { host: config.opsHost, port: config.opsPort },
    { metrics, checkReadiness: context.checkReadiness },
  );
  await ops.start();
  // Without the database's clock nothing can be accepted, and whoever is told "ready" sends the first request at once.
  const waiting = new AbortController();
  const late = sleep(DATABASE_DEADLINE_MS, undefined, { signal: waiting.signal }).catch(() => {});
  await Promise.race([context.clock.known, late]);
  waiting.abort();
  await server.start();
  log.info({ url: server.info.uri, opsUrl: ops.info.uri }, 'server ready');

  return {
    async stop() {
      drain = 'leaving';
      await sleep(config.drainMs);
      drain = 'refusing';
      context.refusals.stop();
      await server.stop({ timeout: ANSWERS_DEADLINE_MS });
      await context.dispatcher.stop();
      await context.close();
      await ops.stop({ timeout: 1000 });
    },
  };
}
