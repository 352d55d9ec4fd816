import type { Plugin } from '@hapi/hapi';
import { clientAddress as addressOf, type Networks } from '../../domain/networks.js';

declare module '@hapi/hapi' {
  interface RequestApplicationState {
    /** Where the call comes from, behind trusted proxies. */
    address: string;
  }
}

/** Finds out where each request comes from. */
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
