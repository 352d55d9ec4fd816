import { createServer, type Server } from 'node:http';

/** The HTTP listener with its time limits (ms): slow headers and slow bodies are cut. */
export function createListener(): Server {
  return createServer({
    // Node checks the two limits below only every 30 s unless told otherwise.
    connectionsCheckingInterval: 500,
    headersTimeout: 5000,
    requestTimeout: 15_000,
    keepAliveTimeout: 65_000,
  });
}
