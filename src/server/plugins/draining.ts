import type { Plugin } from '@hapi/hapi';
import { UnavailableError } from '#src/domain/errors.js';

/**
 * Shutdown state of a server. `leaving`: no longer ready but still serving, until load balancers have noticed
 * that. `refusing`: requests in progress are finished, new ones get 503.
 */
export type Drain = 'serving' | 'leaving' | 'refusing';

/** During a shutdown, connections are closed with the next response; finally requests are refused. */
export const draining: Plugin<{ drain: () => Drain }> = {
  name: 'draining',
  register(server, { drain }) {
    server.ext('onRequest', (_request, h) => {
      if (drain() === 'refusing')
        throw new UnavailableError('This server is shutting down. Try again.', 1, { dependency: 'server' });
      return h.continue;
    });
    server.ext('onPreResponse', ({ response }, h) => {
      if (drain() === 'serving') return h.continue;
      if ('isBoom' in response) response.output.headers.connection = 'close';
      else response.header('connection', 'close');
      return h.continue;
    });
  },
};
