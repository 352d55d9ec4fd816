import type { Boom } from '@hapi/boom';
import type { Plugin, Request, Server } from '@hapi/hapi';
import type { ApiErrorCode } from '#src/domain/api-error-codes.js';
import { NO_SUCH_WEBHOOK, RunhookError, TooManyError } from '#src/domain/errors.js';
import { API_BASE } from '#src/server/api/api-route.js';

/** Error codes of the API by status, for errors without a code of their own. */
const CODES: Record<number, ApiErrorCode> = {
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

/** The only place that maps errors of services to HTTP responses. */
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
  if (error instanceof RunhookError) {
    answer(error, error.statusCode, error.message);
    const { headers } = error.output;
    if (error.retryAfterSeconds !== undefined) headers['retry-after'] = String(error.retryAfterSeconds);
    if (!(error instanceof TooManyError)) return;
    if (error.limit) Object.assign(headers, rateLimitHeaders(error.limit));
    if (error.hangUp) headers.connection = 'close';
  } else if (isUnknownWebhook(request, error)) answer(error, 404, NO_SUCH_WEBHOOK);
}

/** As in the IETF's draft "RateLimit header fields for HTTP", version 03. */
function rateLimitHeaders(limit: NonNullable<TooManyError['limit']>): Record<string, string> {
  return {
    'ratelimit-limit': String(limit.limit),
    'ratelimit-remaining': String(limit.remaining),
    'ratelimit-reset': String(limit.resetSeconds),
  };
}

/** hapi has no path for a URL that it could not decode. */
const pathOf = (request: Request) => request.path || request.raw.req.url || '';

const hasNoRoute = ({ route }: Request) => route.method === ('_special' as string);

/** A path below /webhooks without a route, or one that hapi could not decode. */
function isUnknownWebhook(request: Request, error: Boom): boolean {
  return hasNoRoute(request) && error.output.statusCode < 500 && pathOf(request).startsWith('/webhooks');
}

function isOfApi(request: Request): boolean {
  return pathOf(request).startsWith(API_BASE);
}

/** The body of every API error: hapi's three fields, a code for programs, and the invalid fields. */
function shapeForApi(server: Server, request: Request, error: Boom): void {
  if (error.output.statusCode === 404 && hasNoRoute(request)) refuseMethod(server, request, error);
  const own: Partial<RunhookError> = error instanceof RunhookError ? error : {};
  const fields = own.fields?.length ? { fields: own.fields } : {};
  const code = own.code ?? CODES[error.output.statusCode] ?? 'internal';
  Object.assign(error.output.payload, { code, ...fields, requestId: request.app.requestId });
}

/** hapi returns 404 for a method that a path does not support. */
function refuseMethod(server: Server, request: Request, error: Boom): void {
  const methods = (['get', 'post', 'put', 'patch', 'delete'] as const).filter((method) =>
    server.match(method, request.path),
  );
  if (methods.length === 0) return answer(error, 404, 'This API endpoint does not exist. See /api/v2/openapi.json.');
  const allowed = methods.join(', ').toUpperCase();
  answer(error, 405, `This endpoint supports only ${allowed}.`);
  error.output.headers.allow = allowed;
}

/** Rewrites the body, so that it contains only hapi's three fields and nothing of the original error. */
function answer(error: Boom, statusCode: number, message: string): void {
  error.output.statusCode = statusCode;
  error.reformat();
  error.output.payload.message = message;
}
