import type { RequestRoute, Server } from '@hapi/hapi';
import type Joi from 'joi';
import { API_BASE, type ApiAnswer } from './api-route.js';
import { apiError } from './shapes.js';

type Json = Record<string, unknown>;

/** Errors that any route may return, by status. */
const COMMON_ERRORS: Record<number, string> = {
  400: 'The request is invalid; `fields` lists the problems.',
  401: 'The credentials are missing or invalid.',
  403: 'Your role or the scopes of your token do not allow this.',
  404: 'The resource does not exist, or you do not have access to it.',
  408: 'The request was not received in time.',
  413: 'The request body is too large.',
  415: 'The content type of the request body is not supported.',
  429: 'Too many requests. See Retry-After.',
  503: 'The database is unavailable, or the server is shutting down. See Retry-After.',
};

/** The OpenAPI 3.1 document, generated from the routes. */
export function openApiOf(server: Server, { publicUrl, version }: { publicUrl: string; version: string }): Json {
  const paths: Record<string, Json> = {};
  for (const route of server.table()) {
    const api = route.settings.app?.api;
    if (!api) continue;
    const path = `${route.path.slice(API_BASE.length)}/`.replace('//', '/');
    (paths[path] ??= {})[route.method] = operation(route, api);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Runhook',
      version,
      description:
        'Run tests and suites, follow and stop their runs, and manage projects. Field names are in camelCase, times in ISO 8601 (UTC), and IDs are UUIDs. The trailing slash of a path is optional.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: `${publicUrl}${API_BASE}` }],
    security: [{ token: [] }, { session: [] }],
    components: {
      securitySchemes: {
        token: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: '`Authorization: Token <API token>`, with a personal or a project API token.',
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'runhook_session',
          description:
            'The session cookie of a signed-in person. Requests that change something also require the `X-CSRF-Token` header.',
        },
      },
      schemas: { Error: jsonSchema(apiError) },
    },
    paths: Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

type Api = NonNullable<NonNullable<RequestRoute['settings']['app']>['api']>;

function operation(route: RequestRoute, api: Api): Json {
  const isPublic = typeof route.settings.app?.access === 'string';
  const answers = Object.entries(api.answers).map(([status, answer]) => [status, answerOf(answer)]);
  const conflicts = [
    ...(api.ifMatch
      ? [
          [412, 'The resource has changed since you read it.'],
          [428, 'The If-Match header is missing.'],
        ]
      : []),
    ...(api.idempotent ? [[422, 'The Idempotency-Key was already used for a different request.']] : []),
  ] as [number, string][];
  const errors = [...Object.entries(COMMON_ERRORS), ...conflicts].map(([status, description]) => [
    status,
    { description, content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } },
  ]);
  // Sent by Node before the request is read, without a body.
  const tooLarge = ['431', { description: 'The URL and headers together exceed 16 KB.' }] as const;
  return {
    operationId: operationId(route),
    summary: api.summary,
    ...(api.description ? { description: api.description } : {}),
    tags: [api.tag],
    ...(isPublic ? { security: [] } : {}),
    parameters: [
      ...parameters('path', api.params),
      ...parameters('query', api.query),
      ...(api.idempotent
        ? [
            header(
              'Idempotency-Key',
              false,
              '1 to 255 characters. Repeating a request with the same key does not create anything twice.',
            ),
          ]
        : []),
      ...(api.ifMatch ? [header('If-Match', true, 'The ETag of the version you read, or `*` for any version.')] : []),
    ],
    ...requestBody(api),
    responses: Object.fromEntries([...errors, tooLarge, ...answers]),
  };
}

function requestBody({ body, bodyExample, textBody }: Api): Json {
  if (textBody) {
    const { types, description, example } = textBody;
    const content = Object.fromEntries(types.map((type) => [type, { schema: { type: 'string' }, example }]));
    return { requestBody: { required: true, description, content } };
  }
  if (!body) return {};
  const shown = bodyExample === undefined ? {} : { example: bodyExample };
  return { requestBody: { required: true, content: { 'application/json': { schema: jsonSchema(body), ...shown } } } };
}

function operationId({ method, path }: RequestRoute): string {
  const words = path
    .slice(API_BASE.length)
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean);
  return method + words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('');
}

function answerOf({ description, schema, example, headers, contentType = 'application/json' }: ApiAnswer): Json {
  const shownHeaders = Object.entries(headers ?? {}).map(([name, text]) => [
    name,
    { description: text, schema: { type: 'string' } },
  ]);
  return {
    description,
    ...(shownHeaders.length > 0 ? { headers: Object.fromEntries(shownHeaders) } : {}),
    ...(schema || contentType !== 'application/json'
      ? {
          content: {
            [contentType]: {
              ...(schema ? { schema: jsonSchema(schema, 'output') } : {}),
              ...(example === undefined ? {} : { example }),
            },
          },
        }
      : {}),
  };
}

function parameters(place: 'path' | 'query', schema: Joi.ObjectSchema | undefined): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = jsonSchema(schema) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(description ? { description } : {}),
    schema: rest,
  }));
}

function header(name: string, required: boolean, description: string): Json {
  const schema = { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x20-\\x7e]+$' };
  return { name, in: 'header', required, description, schema };
}

interface StandardSchema {
  '~standard': { jsonSchema: Record<'input' | 'output', (options: { target: 'draft-2020-12' }) => Json> };
}

function jsonSchema(schema: Joi.Schema, side: 'input' | 'output' = 'input'): Json {
  return (schema as unknown as StandardSchema)['~standard'].jsonSchema[side]({ target: 'draft-2020-12' });
}
