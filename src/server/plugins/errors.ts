import type { Boom } from '@hapi/boom';
import type { Plugin, Request, Server } from '@hapi/hapi';
import {
  ChangedMeanwhileError,
  ConflictError,
  ForbiddenError,
  IdempotencyConflictError,
  InvalidInputError,
  NotFoundError,
  TargetNotFoundError,
  TooManyError,
  UnauthorizedError,
  UnavailableError,
} from '../../domain/errors.js';
import { API_BASE } from '../api/api-route.js';

/** The one text of every webhook that leads nowhere: malformed, unknown, revoked and foreign tell nothing apart. */
const NO_SUCH_WEBHOOK =
  'No test or suite can be run at this URL. Copy the webhook URL from the web app again: its token or its id is wrong or no longer valid.';

/** What the API calls errors that nothing of ours named, by status. */
const CODES: Record<number, string> = {
  400: 'invalid_input',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  408: 'too_slow',
  409: 'conflict',
  412: 'changed_meanwhile',
  413: 'too_large',
  415: 'unsupported_media_type',
  422: 'idempotency_key_reused',
  428: 'if_match_required',
  429: 'too_many_requests',
  503: 'unavailable',
};

/** Maps what services throw to HTTP, in this one place. */
export const errors: Plugin<undefined> = {
  name: 'errors',
  register(server) {
    server.ext('onPreResponse', (request, h) => {
      const { response } = request;
      if ('isBoom' in response) {
        mapError(request, response);
        if (isOfApi(request)) shapeForApi(server, request, response);
      }
      return h.continue;
    });
  },
};

function mapError(request: Request, error: Boom): void {
  if (error instanceof TargetNotFoundError) answer(error, 404, NO_SUCH_WEBHOOK);
  else if (error instanceof NotFoundError) answer(error, 404, error.message);
  else if (error instanceof InvalidInputError) answer(error, 400, error.message);
  else if (error instanceof UnauthorizedError) answer(error, 401, error.message);
  else if (error instanceof ForbiddenError) answer(error, 403, error.message);
  else if (error instanceof ConflictError) answer(error, 409, error.message);
  else if (error instanceof ChangedMeanwhileError) answer(error, 412, error.message);
  else if (error instanceof IdempotencyConflictError) answer(error, 422, error.message);
  else if (error instanceof TooManyError) {
    answer(error, 429, error.message);
    const { headers } = error.output;
    headers['retry-after'] = String(error.retryAfterSeconds);
    if (error.limit) Object.assign(headers, rateLimitHeaders(error.limit));
    if (error.hangUp) headers.connection = 'close';
  } else if (error instanceof UnavailableError) {
    answer(error, 503, error.message);
    error.output.headers['retry-after'] = String(error.retryAfterSeconds);
  } else if (leadsNowhere(request, error)) answer(error, 404, NO_SUCH_WEBHOOK);
}

/** As in the IETF's draft "RateLimit header fields for HTTP", version 03. */
function rateLimitHeaders(limit: NonNullable<TooManyError['limit']>): Record<string, string> {
  return {
    'ratelimit-limit': String(limit.limit),
    'ratelimit-remaining': String(limit.remaining),
    'ratelimit-reset': String(limit.resetSeconds),
  };
}

/** hapi has no path for an address that it could not decode. */
const pathOf = (request: Request) => request.path || request.raw.req.url || '';

const hasNoRoute = ({ route }: Request) => route.method === ('_special' as string);

/** A path below /webhooks that no route has, or that hapi could not decode. */
function leadsNowhere(request: Request, error: Boom): boolean {
  return hasNoRoute(request) && error.output.statusCode < 500 && pathOf(request).startsWith('/webhooks');
}

function isOfApi(request: Request): boolean {
  return pathOf(request).startsWith(API_BASE);
}

/** The shape of every error of the API: hapi's three fields, a code for programs, the fields that were wrong. */
function shapeForApi(server: Server, request: Request, error: Boom): void {
  if (error.output.statusCode === 404 && hasNoRoute(request)) refuseMethod(server, request, error);
  const fields = error instanceof InvalidInputError && error.fields.length > 0 ? { fields: error.fields } : {};
  const code = codeOf(error) ?? CODES[error.output.statusCode] ?? 'internal';
  Object.assign(error.output.payload, { code, ...fields, requestId: request.app.requestId });
}

/** The code that the error itself has, for programs. */
function codeOf(error: Error): string | undefined {
  return error instanceof ConflictError || error instanceof ForbiddenError ? error.code : undefined;
}

/** hapi answers 404 to a method that a path does not have. */
function refuseMethod(server: Server, request: Request, error: Boom): void {
  const methods = (['get', 'post', 'put', 'patch', 'delete'] as const).filter((method) =>
    server.match(method, request.path),
  );
  if (methods.length === 0) return answer(error, 404, 'There is no such call. See /api/v2/openapi.json.');
  const allowed = methods.join(', ').toUpperCase();
  answer(error, 405, `This address takes ${allowed} only.`);
  error.output.headers.allow = allowed;
}

/** Writes the body afresh, so that it holds hapi's three fields and nothing of the original. */
function answer(error: Boom, statusCode: number, message: string): void {
  error.output.statusCode = statusCode;
  error.reformat();
  error.output.payload.message = message;
}
