import type { Boom } from '@hapi/boom';
import type { Plugin, Request } from '@hapi/hapi';
import {
  IdempotencyConflictError,
  InvalidInputError,
  RunNotFoundError,
  TargetNotFoundError,
  UnavailableError,
} from '../../domain/errors.js';

/** The one text of every webhook that leads nowhere: malformed, unknown, revoked and foreign tell nothing apart. */
const NO_SUCH_WEBHOOK =
  'No test or suite can be run at this URL. Copy the webhook URL from the web app again: its token or its id is wrong or no longer valid.';

/** Maps what services throw to HTTP, in this one place. */
export const errors: Plugin<undefined> = {
  name: 'errors',
  register(server) {
    server.ext('onPreResponse', (request, h) => {
      const { response } = request;
      if ('isBoom' in response) mapError(request, response);
      return h.continue;
    });
  },
};

function mapError(request: Request, error: Boom): void {
  if (error instanceof TargetNotFoundError) answer(error, 404, NO_SUCH_WEBHOOK);
  else if (error instanceof RunNotFoundError) answer(error, 404, error.message);
  else if (error instanceof InvalidInputError) answer(error, 400, error.message);
  else if (error instanceof IdempotencyConflictError) answer(error, 422, error.message);
  else if (error instanceof UnavailableError) {
    answer(error, 503, error.message);
    error.output.headers['retry-after'] = String(error.retryAfterSeconds);
  } else if (leadsNowhere(request, error)) answer(error, 404, NO_SUCH_WEBHOOK);
}

/** A path below /webhooks that no route has, or that hapi could not decode. */
function leadsNowhere(request: Request, error: Boom): boolean {
  const noRoute = request.route.method === ('_special' as string) && error.output.statusCode < 500;
  return noRoute && (request.path ?? '').startsWith('/webhooks');
}

/** Writes the body afresh, so that it holds hapi's three fields and nothing of the original. */
function answer(error: Boom, statusCode: number, message: string): void {
  error.output.statusCode = statusCode;
  error.reformat();
  error.output.payload.message = message;
}
