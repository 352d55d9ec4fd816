import type {
  ReqRef,
  ReqRefDefaults,
  Request,
  ResponseToolkit,
  RouteOptionsApp,
  RouteOptionsValidate,
  ServerRoute,
} from '@hapi/hapi';
import Joi from 'joi';
import { InvalidInputError, type FieldProblem } from '#src/domain/errors.js';
import { ROUTE_RESPONSE_MS, withinResponseTime } from '#src/services/within-response-time.js';
import type { Access } from '#src/server/http/route-access.js';
import { withJsonTypes } from './json-types.js';

const MAX_BODY_BYTES = 1024 * 1024;

/** One response of a route, for the OpenAPI document and the tests. */
export interface ApiAnswer {
  description: string;
  /** Schema of the JSON body; absent: no body. */
  schema?: Joi.Schema;
  example?: unknown;
  headers?: Record<string, string>;
  /** Default: application/json. */
  contentType?: string;
}

/** What the OpenAPI document states about a route besides its path. */
interface ApiDescription {
  /** The title: a few words. */
  summary: string;
  description?: string;
  /** The section that lists it. */
  tag: string;
  /** By status. Errors common to all routes are added. */
  answers: Record<number, ApiAnswer>;
  bodyExample?: unknown;
  /** Accepts an Idempotency-Key. */
  idempotent?: boolean;
  /** Requires If-Match. */
  ifMatch?: boolean;
}

/** A text body: the handler receives it as a Buffer, not decoded. */
interface TextBody {
  types: string[];
  description: string;
  example: string;
}

declare module '@hapi/hapi' {
  interface RouteOptionsApp {
    api?: ApiDescription & {
      params?: Joi.ObjectSchema;
      query?: Joi.ObjectSchema;
      body?: Joi.Schema;
      textBody?: TextBody;
    };
  }
}

interface ApiRoute<Refs extends ReqRef> extends ApiDescription {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below /api/v2, with a trailing slash, which callers may omit. */
  path: `/${string}`;
  access: Access;
  params?: Joi.ObjectSchema;
  query?: Joi.ObjectSchema;
  /** Schema of a JSON body. */
  body?: Joi.Schema;
  /** Instead of a JSON body. */
  textBody?: TextBody;
  maxBodyBytes?: number;
  /** Response timeout in ms. */
  answerMs?: number;
  handler(request: Request<Refs>, h: ResponseToolkit<Refs>): unknown;
}

export const API_BASE = '/api/v2';

/**
 * A route of the API: validates the request, rejects unknown fields by name, responds within its timeout, and
 * describes itself (see openapi.ts).
 */
export function apiRoute<Refs extends ReqRef = ReqRefDefaults>(route: ApiRoute<Refs>): ServerRoute {
  const { method, path, access, params, query, body, textBody, maxBodyBytes, answerMs, handler, ...description } =
    route;
  const app: RouteOptionsApp = { access, api: { ...description, ...given({ params, query, body, textBody }) } };
  const declared = {
    method,
    // hapi has no trailing slashes (server option stripTrailingSlash).
    path: `${API_BASE}${path}`.replace(/\/$/, '') as `/${string}`,
    options: {
      app,
      ...(method === 'GET'
        ? {}
        : {
            payload: {
              ...(textBody ? { allow: textBody.types, parse: 'gunzip' as const } : { allow: ['application/json'] }),
              maxBytes: maxBodyBytes ?? MAX_BODY_BYTES,
              failAction: refuseBody,
            },
          }),
      response: {
        status: Object.fromEntries(
          Object.entries(description.answers).flatMap(([status, { schema }]) => (schema ? [[status, schema]] : [])),
        ),
      },
      validate: {
        ...validation(params, query, method === 'GET' || !body ? undefined : withJsonTypes(body)),
        failAction: refuse,
        options: { abortEarly: false, errors: { wrap: { label: false } }, convert: true },
      } as RouteOptionsValidate,
    },
    handler: (request: Request<Refs>, h: ResponseToolkit<Refs>) =>
      withinResponseTime(answerMs ?? ROUTE_RESPONSE_MS, async () => handler(request, h)),
  };
  return declared as unknown as ServerRoute;
}

function given<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;
}

/** Routes without query parameters reject any: a misspelled filter would be ignored silently. */
const NO_QUERY = Joi.object({});

function validation(
  params?: Joi.ObjectSchema,
  query: Joi.ObjectSchema = NO_QUERY,
  payload?: Joi.Schema,
): RouteOptionsValidate {
  return given({ params, query, payload }) as RouteOptionsValidate;
}

/** hapi keeps joi's details in the error. */
function refuse(_request: Request, _h: unknown, error?: Error): never {
  const joiError = error as Partial<Joi.ValidationError> & {
    output?: { payload?: { validation?: { source?: string } } };
  };
  const fields: FieldProblem[] = (joiError.details ?? []).map(({ path, message }) => ({
    field: path.join('.') || (joiError.output?.payload?.validation?.source ?? ''),
    message,
  }));
  throw new InvalidInputError(fields.map(({ message }) => message).join('; ') || 'The request is malformed.', {
    fields,
  });
}

function refuseBody(_request: Request, _h: unknown, error?: Error): never {
  throw error ?? new InvalidInputError('The request body cannot be read.');
}
