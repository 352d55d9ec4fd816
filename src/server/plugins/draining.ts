import type { Plugin } from '@hapi/hapi';
import { UnavailableError } from '../../domain/errors.js';

/** While the server shuts down, requests on connections still open are refused and their connections closed. */
export const draining: Plugin<{ isDraining: () => boolean }> = {
  name: 'draining',
  register(server, { isDraining }) {
    server.ext('onRequest', (_request, h) => {
      if (isDraining()) throw new UnavailableError('This server is shutting down. Try again.', 1);
      return h.continue;
    });
    server.ext('onPreResponse', ({ response }, h) => {
      if (!isDraining()) return h.continue;
      if ('isBoom' in response) response.output.headers.connection = 'close';
      else response.header('connection', 'close');
      return h.continue;
    });
  },
};
