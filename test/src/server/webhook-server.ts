import type { AddressInfo } from 'node:net';
import http from 'node:http';
import { pino } from 'pino';
import { createMetrics } from '#src/server/metrics/metrics.js';
import { createServer } from '#src/server/server.js';
import type { RunTrigger } from '#src/services/trigger/trigger-run.js';
import { answerTo, type HttpAnswer } from '#test/support/servers/http-answer.js';
import { serverDeps } from '#test/builders/server-deps.js';
import { aMetricsSource } from '#test/builders/metrics-source.js';

export interface WebhookServer {
  port: number;
  /** The server’s log so far. */
  logged: string[];
  /** Sends a raw request: `fetch` would not send some of these. The path is sent unchanged. */
  send(method: string, path: string, options?: SendOptions): Promise<HttpAnswer>;
  metrics(): Promise<string>;
  stop(): Promise<void>;
}

export interface SendOptions {
  headers?: http.OutgoingHttpHeaders;
  body?: string | Buffer;
}

/** The real server with its listener on a free port, and a fake trigger. */
export async function webhookServer(byWebhook: RunTrigger['byWebhook']): Promise<WebhookServer> {
  const logged: string[] = [];
  const metrics = createMetrics(aMetricsSource());
  const server = await createServer(
    { host: '127.0.0.1', port: 0 },
    serverDeps({
      trigger: { byWebhook, byApi: () => Promise.reject(new Error('not part of this test')) },
      log: pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) }),
      metrics,
    }),
  );
  await server.start();
  const { port } = server.listener.address() as AddressInfo;
  return {
    port,
    logged,
    send: (method, path, { headers, body } = {}) =>
      answerTo(http.request({ port, host: '127.0.0.1', method, path, headers, agent: false }), body),
    metrics: () => metrics.registry.metrics(),
    stop: () => server.stop({ timeout: 100 }),
  };
}
