import type { Plugin, Request } from '@hapi/hapi';
import type { Logger } from '#src/lib/logger.js';

/** The template of the request's route. The path itself may contain a token and must not be logged or counted. */
export function routeTemplate(request: Request): string {
  return request.route.path;
}

/** Milliseconds from the arrival of a request to its response. */
export function durationMs({ info }: Request): number {
  return (info.responded || Date.now()) - info.received;
}

/** One line per request, and one for the cause of every response with status 500 or above. */
export const requestLog: Plugin<{ log: Logger }> = {
  name: 'request-log',
  register(server, { log }) {
    server.events.on('response', (request) => {
      const { response } = request;
      log.info(
        {
          requestId: request.app.requestId,
          method: request.method,
          route: routeTemplate(request),
          status: 'statusCode' in response ? response.statusCode : response.output.statusCode,
          ms: durationMs(request),
        },
        'request completed',
      );
    });
    server.events.on({ name: 'request', channels: ['error'] }, (request, event) => {
      log.error(
        { requestId: request.app.requestId, route: routeTemplate(request), err: event.error },
        'request failed',
      );
    });
  },
};
