import { server as createHapi, type Server } from '@hapi/hapi';
import type { Logger } from '#src/lib/logger.js';
import type { RouteDeps } from './route-deps.js';
import { refuseUnknownEncoding } from './http/content-encoding.js';
import { createListener, OPEN_LISTENER, type ListenerOptions } from './http/listener.js';
import type { Metrics } from './metrics/metrics.js';
import { access, type AccessOptions } from './plugins/access.js';
import { clientAddress } from './plugins/client-address.js';
import { draining, type Drain } from './plugins/draining.js';
import { errorPages } from './plugins/error-pages.js';
import { errors } from './plugins/errors.js';
import { requestId } from './plugins/request-id.js';
import { requestLog } from './plugins/request-log.js';
import { requestMetrics } from './plugins/request-metrics.js';
import { sessionRenewal } from './plugins/session-renewal.js';
import { routes } from './routes/index.js';

interface ServerOptions extends Partial<ListenerOptions> {
  host: string;
  port: number;
  /** Validates API responses against their schemas; a mismatch becomes a 500. Expensive, for tests only. */
  validateResponses?: boolean;
}

export interface ServerDeps extends RouteDeps, AccessOptions {
  log: Logger;
  metrics: Metrics;
  drain: () => Drain;
}

/** The HTTP server, not started yet. */
export async function createServer(
  { validateResponses = false, host, port, ...listenerOptions }: ServerOptions,
  deps: ServerDeps,
): Promise<Server> {
  const limits = { ...OPEN_LISTENER, ...listenerOptions };
  const server = createHapi({
    host,
    port,
    listener: createListener(limits),
    // hapi's console output contains paths, which may contain tokens.
    debug: false,
    router: { stripTrailingSlash: true },
    routes: {
      // URLs and responses may contain tokens; cacheable responses set their own header.
      cache: { otherwise: 'no-store' },
      response: { sample: validateResponses ? 100 : 0, failAction: 'error' },
      // Other services on the same host may set malformed cookies.
      state: { parse: true, failAction: 'ignore' },
    },
  });
  server.app.publicUrl = deps.publicUrl;
  // hapi returns 400 for every client error. Node itself distinguishes slow requests (408, which clients retry) from
  // malformed (400) and too large (431) ones.
  server.listener.removeAllListeners('clientError');
  await server.register(requestId);
  await server.register({ plugin: clientAddress, options: { trustedProxies: limits.trustedProxies } });
  await server.register({ plugin: draining, options: { drain: deps.drain } });
  await server.register(errors);
  await server.register(errorPages);
  server.ext('onPreAuth', refuseUnknownEncoding);
  await server.register({ plugin: requestLog, options: { log: deps.log } });
  await server.register({ plugin: requestMetrics, options: { metrics: deps.metrics } });
  const { authenticator, access: control, refusals, publicUrl, sessionMs } = deps;
  await server.register({ plugin: access, options: { authenticator, access: control, refusals, publicUrl } });
  await server.register({ plugin: sessionRenewal, options: { publicUrl, sessionMs } });
  // Before the listener closes, which would wait for open streams.
  server.ext('onPreStop', () => deps.streams.end());
  server.route(routes(deps));
  return server;
}
