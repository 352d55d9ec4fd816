#!/usr/bin/env node
import { serverConfig } from '../config.js';
import { createLogger } from '../logger.js';
import { startServer } from '../start-server.js';
import { main } from './main.js';
import { onShutdown } from './shutdown.js';

/** Beside the time in which it still serves: finishing answers and handing pending starts over. */
const SHUTDOWN_MS = 14_000;

main(async () => {
  const config = serverConfig(process.env);
  const log = createLogger('server', config.logLevel);
  const server = await startServer(config, log);
  onShutdown(log, config.drainMs + SHUTDOWN_MS, server.stop);
});
