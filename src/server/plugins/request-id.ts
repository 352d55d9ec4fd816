import { randomUUID } from 'node:crypto';
import type { Plugin } from '@hapi/hapi';

declare module '@hapi/hapi' {
  interface RequestApplicationState {
    requestId: string;
  }
}

const ACCEPTABLE = /^[\w.:-]{1,64}$/;

/** Assigns each request an ID, or accepts that of the caller, and returns it as `X-Request-Id`. */
export const requestId: Plugin<undefined> = {
  name: 'request-id',
  register(server) {
    server.ext('onRequest', (request, h) => {
      const given = request.headers['x-request-id'];
      request.app.requestId = typeof given === 'string' && ACCEPTABLE.test(given) ? given : randomUUID();
      return h.continue;
    });
    server.ext('onPreResponse', (request, h) => {
      const { response, app } = request;
      if ('isBoom' in response) response.output.headers['x-request-id'] = app.requestId;
      else response.header('x-request-id', app.requestId);
      return h.continue;
    });
  },
};
