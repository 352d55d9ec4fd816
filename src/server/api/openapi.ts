import type { RequestRoute, Server } from '@hapi/hapi';
import type Joi from 'joi';
import { API_BASE, type ApiAnswer } from './api-route.js';
import { apiError } from './shapes.js';

type Json = Record<string, unknown>;

/** Errors that any route may answer with, by status. */
const COMMON_ERRORS: Record<number, string> = {
  400: 'Something in the request is malformed: `fields` says what.',
  401: 'No credentials, or none that open anything.',
  403: 'Your role, or the scope of your token, does not allow it.',
  404: 'There is no such thing, or it is not open to you.',
  408: 'The request came in too slowly.',
  413: 'The body is too large.',
  415: 'The body is not of a content type that this call takes.',
  429: 'Too many calls: see Retry-After.',
  503: 'The database is away, or the server is shutting down: see Retry-After.',
};

/** The description of the API (OpenAPI 3.1), made of the routes themselves. */
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
        'Starts, watches and stops runs of tests and suites, and changes what they are made of. Fields are in camelCase, times in ISO 8601 (UTC), ids are UUIDs. A slash at the end of a path may be left out.',
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
          description: '`Authorization: Token <API token>`: personal, or of a project.',
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'runhook_session',
          description: 'The cookie of a signed-in person. Calls that change something need `X-CSRF-Token` too.',
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
          [412, 'Somebody else changed it since you read it.'],
          [428, 'The header If-Match is missing.'],
        ]
      : []),
    ...(api.idempotent ? [[422, 'The Idempotency-Key was used for something else.']] : []),
  ] as [number, string][];
  const errors = [...Object.entries(COMMON_ERRORS), ...conflicts].map(([status, description]) => [
    status,
    { description, content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } },
  ]);
  // Answered before anything is read, without a body.
  const tooLarge = ['431', { description: 'The headers with the address are larger than 16 KB.' }] as const;
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
        ? [header('Idempotency-Key', false, 'The same key is the same call: 1 to 255 characters.')]
        : []),
      ...(api.ifMatch ? [header('If-Match', true, 'The ETag that you read, or `*` for whatever is there.')] : []),
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
