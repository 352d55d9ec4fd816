import type { Plugin } from '@hapi/hapi';
import { clientAddress as addressOf, type Networks } from '#src/domain/tokens/networks.js';

declare module '@hapi/hapi' {
  interface RequestApplicationState {
    /** The client's IP address, as seen by trusted proxies. */
    address: string;
  }
}

/** Determines the client address of each request. */
export const clientAddress: Plugin<{ trustedProxies: Networks }> = {
  name: 'client-address',
  register(server, { trustedProxies }) {
    server.ext('onRequest', (request, h) => {
      const { info, headers, app } = request;
      app.address = addressOf(info.remoteAddress, headers['x-forwarded-for'] as string | undefined, trustedProxies);
      return h.continue;
    });
  },
};
