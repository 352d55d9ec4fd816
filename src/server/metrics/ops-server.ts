import { server as createHapi, type Server } from '@hapi/hapi';
import type { ReadinessCheck } from '#src/services/instance/check-readiness.js';
import type { Metrics } from './metrics.js';

interface OpsDeps {
  metrics: Metrics;
  checkReadiness: ReadinessCheck;
}

/** The second listener, with health checks and metrics for operators and orchestrators. */
export function createOpsServer(options: { host: string; port: number }, deps: OpsDeps): Server {
  const server = createHapi({ ...options, debug: false });
  server.route([
    { method: 'GET', path: '/livez', handler: () => ({ status: 'alive' }) },
    {
      method: 'GET',
      path: '/readyz',
      async handler(_request, h) {
        const readiness = await deps.checkReadiness();
        return h.response(readiness).code(readiness.status === 'ready' ? 200 : 503);
      },
    },
    {
      method: 'GET',
      path: '/metrics',
      async handler(_request, h) {
        return h.response(await deps.metrics.registry.metrics()).type(deps.metrics.registry.contentType);
      },
    },
  ]);
  return server;
}
