#!/usr/bin/env node
import { serverConfig } from '#src/config.js';
import { createLogger } from '#src/lib/logger.js';
import { startServer } from '#src/contexts/start-server.js';
import { main } from './main.js';
import { onShutdown } from './shutdown.js';

/** After draining: time to finish responses and release pending starts. */
const SHUTDOWN_MS = 14_000;

main(async () => {
  const config = serverConfig(process.env);
  const log = createLogger('server', config.logLevel);
  const server = await startServer(config, log);
  onShutdown(log, config.drainMs + SHUTDOWN_MS, server.stop);
});
