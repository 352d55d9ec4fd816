import type { Plugin } from '@hapi/hapi';
import { UnavailableError } from '../../domain/errors.js';

/**
 * How far a server's shutdown is. `leaving`: not ready any more, but it still serves, until load balancers have seen
 * that. `refusing`: answers under way are finished, new requests get 503.
 */
export type Drain = 'serving' | 'leaving' | 'refusing';

/** While the server shuts down its connections are closed with the next answer; at the end requests are refused. */
export const draining: Plugin<{ drain: () => Drain }> = {
  name: 'draining',
  register(server, { drain }) {
    server.ext('onRequest', (_request, h) => {
      if (drain() === 'refusing')
        throw new UnavailableError('This server is shutting down. Try again.', 1, { away: 'server' });
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
