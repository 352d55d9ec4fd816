import type { Plugin } from '@hapi/hapi';
import type { Metrics } from '#src/server/metrics/metrics.js';
import { durationMs, routeTemplate } from './request-log.js';

const TRIGGERS: Record<string, string> = {
  '/webhooks/{token}/tests/run/{targetId}': 'test',
  '/webhooks/{token}/suites/run/{targetId}': 'suite',
};

/** Counts requests by route template, and times triggers. */
export const requestMetrics: Plugin<{ metrics: Metrics }> = {
  name: 'request-metrics',
  register(server, { metrics }) {
    server.events.on('response', (request) => {
      const { response } = request;
      const route = routeTemplate(request);
      const status = 'statusCode' in response ? response.statusCode : response.output.statusCode;
      metrics.requests.inc({ route, method: request.method, status });
      const kind = TRIGGERS[route];
      if (kind && request.method === 'post') metrics.triggerSeconds.observe({ kind }, durationMs(request) / 1000);
    });
  },
};
