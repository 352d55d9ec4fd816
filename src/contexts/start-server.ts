import { setTimeout as sleep } from 'node:timers/promises';
import pTimeout from 'p-timeout';
import type { ServerConfig } from '#src/config.js';
import { createServerContext } from './server-context.js';
import { networksOf } from '#src/domain/tokens/networks.js';
import type { Logger } from '#src/lib/logger.js';
import { createMetrics } from '#src/server/metrics/metrics.js';
import { createOpsServer } from '#src/server/metrics/ops-server.js';
import type { Drain } from '#src/server/plugins/draining.js';
import { createServer } from '#src/server/server.js';

const ANSWERS_DEADLINE_MS = 6000;
/** How long a start waits for the database; then the server listens anyway, and responds with 503. */
const DATABASE_DEADLINE_MS = 3000;

/**
 * Starts both listeners and the dispatcher. `stop` reports not ready, waits until load balancers have noticed, refuses new
 * requests, finishes responses, releases pending starts, and closes.
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
      validateResponses: config.validateResponses,
      trustedProxies: networksOf(config.trustedProxies),
      connections: config.limits.connections,
      connectionsPerAddress: config.limits.connectionsPerAddress,
    },
    { ...context.routes, ...context.auth, log, metrics, drain: () => drain },
  );
  const ops = createOpsServer(
    { host: config.opsHost, port: config.opsPort },
    { metrics, checkReadiness: context.checkReadiness },
  );
  await ops.start();
  // A server cannot accept triggers without the database's clock, and clients send requests as soon as it is ready.
  await pTimeout(context.clock.known, { milliseconds: DATABASE_DEADLINE_MS, message: false });
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
