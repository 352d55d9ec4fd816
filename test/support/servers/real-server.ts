import { randomBytes } from 'node:crypto';
import type { Server } from '@hapi/hapi';
import { pino } from 'pino';
import { serverConfig } from '#src/config.js';
import { createServerContext } from '#src/contexts/server-context.js';
import type { Collections } from '#src/db/schema/collections.js';
import { openTemporal } from '#src/temporal/connect.js';
import { createMetrics } from '#src/server/metrics/metrics.js';
import { createServer } from '#src/server/server.js';
import { testDatabase } from '#test/support/database.js';
import { eventually } from '#test/support/eventually.js';

export const PUBLIC_URL = 'http://runhook.test';

export interface RealServer {
  server: Server;
  collections: Collections;
  /** The result of a metrics scrape. */
  scrape(): Promise<string>;
  /** Lines of the server's log so far. */
  logged: string[];
  close(): Promise<void>;
}

/** The server as in its own process, with a real MongoDB but without Temporal; call it with `inject`. */
export async function realServer(env: Record<string, string> = {}): Promise<RealServer> {
  const { url, collections } = await testDatabase();
  const logged: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void logged.push(line) });
  const config = serverConfig({
    MONGODB_URL: url,
    RUNHOOK_SECRET_KEYS: randomBytes(32).toString('base64'),
    RUNHOOK_PUBLIC_URL: PUBLIC_URL,
    ...env,
  });
  const context = createServerContext(config, log, () => false, {
    // No server listens.
    temporal: openTemporal({ TEMPORAL_ADDRESS: '127.0.0.1:9' }),
  });
  const metrics = createMetrics(context.metricsSource);
  const server = await createServer(
    { host: '127.0.0.1', port: 0, validateResponses: true },
    {
      ...context.routes,
      ...context.auth,
      log,
      metrics,
      drain: () => 'serving',
    },
  );
  await server.initialize();
  // The first connection may be slow on a busy machine, and until then every response is a 503.
  await eventually(async () => (await context.checkReadiness()).status === 'ready' || undefined);
  return {
    server,
    collections,
    logged,
    scrape: () => metrics.registry.metrics(),
    async close() {
      await server.stop({ timeout: 100 });
      await context.dispatcher.stop();
      await context.close();
    },
  };
}
