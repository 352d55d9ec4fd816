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
import { InvalidInputError, type FieldProblem } from '../../domain/errors.js';
import { ROUTE_ANSWER_MS, withinAnswerTime } from '../../services/within-answer-time.js';
import type { Access } from '../access.js';
import { withJsonTypes } from './json-types.js';

const MAX_BODY_BYTES = 1024 * 1024;

/** One answer of a route, for its description and the tests. */
export interface ApiAnswer {
  description: string;
  /** Of the JSON body; none, there is no body. */
  schema?: Joi.Schema;
  example?: unknown;
  headers?: Record<string, string>;
  /** Other than JSON. */
  contentType?: string;
}

/** What the API's description tells of a route beside its path. */
export interface ApiDescription {
  /** In a few words: the title. */
  summary: string;
  description?: string;
  /** Heading under which it stands. */
  tag: string;
  /** By status. The errors that every route can answer are added. */
  answers: Record<number, ApiAnswer>;
  bodyExample?: unknown;
  /** It takes an Idempotency-Key. */
  idempotent?: boolean;
  /** It needs an If-Match. */
  ifMatch?: boolean;
}

/** A body that is text: its handler gets it as a Buffer, decoded by nobody. */
export interface TextBody {
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

export interface ApiRoute<Refs extends ReqRef> extends ApiDescription {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below /api/v2, with a slash at its end; callers may leave that out. */
  path: `/${string}`;
  access: Access;
  params?: Joi.ObjectSchema;
  query?: Joi.ObjectSchema;
  /** Of a JSON body. */
  body?: Joi.Schema;
  /** In place of a JSON body. */
  textBody?: TextBody;
  maxBodyBytes?: number;
  /** How long an answer may take, in ms. */
  answerMs?: number;
  handler(request: Request<Refs>, h: ResponseToolkit<Refs>): unknown;
}

export const API_BASE = '/api/v2';

/**
 * A route of the API: checks what comes in and refuses what it does not know by name, answers within its time, and
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
      withinAnswerTime(answerMs ?? ROUTE_ANSWER_MS, async () => handler(request, h)),
  };
  return declared as unknown as ServerRoute;
}

function given<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;
}

/** A call that takes no query refuses one: a misspelt filter would be ignored in silence. */
const NO_QUERY = Joi.object({});

function validation(
  params?: Joi.ObjectSchema,
  query: Joi.ObjectSchema = NO_QUERY,
  payload?: Joi.Schema,
): RouteOptionsValidate {
  return given({ params, query, payload }) as RouteOptionsValidate;
}

/** The problem itself is in the error's place that hapi keeps for joi. */
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
  throw error ?? new InvalidInputError('The body of this request cannot be read.');
}
