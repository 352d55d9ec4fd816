#!/usr/bin/env node
import { serverConfig } from '../config.js';
import { createLogger } from '../logger.js';
import { startServer } from '../start-server.js';
import { main } from './main.js';
import { onShutdown } from './shutdown.js';

const SHUTDOWN_MS = 14_000;

main(async () => {
  const config = serverConfig(process.env);
  const log = createLogger('server', config.logLevel);
  const server = await startServer(config, log);
  onShutdown(log, SHUTDOWN_MS, server.stop);
});
