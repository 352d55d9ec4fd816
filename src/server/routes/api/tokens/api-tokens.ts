import type { Request, ServerRoute } from '@hapi/hapi';
import Joi from 'joi';
import { name as tokenName } from '#src/domain/targets/definition-fields.js';
import { wholeList } from '#src/domain/page.js';
import type { ApiToken } from '#src/domain/people/people.js';
import { PROJECT_TOKEN_SCOPES, SCOPES, type Scope } from '#src/domain/people/rights.js';
import type { TokenOwner } from '#src/services/tokens/api-token-services.js';
import { type Access, callerOf, inProject, principalOf } from '#src/server/http/route-access.js';
import { apiRoute } from '#src/server/api/api-route.js';
import { idempotencyKeyOf } from '#src/server/api/idempotency.js';
import { listAnswer } from '#src/server/api/paging.js';
import { listOf, moment, projectParams, uuid, wholeListQuery } from '#src/server/api/shapes.js';
import type { RouteDeps } from '#src/server/route-deps.js';

const TAG = 'API tokens';

const scopesOf = (all: readonly Scope[]) =>
  Joi.array()
    .items(Joi.string().valid(...all))
    .min(1)
    .unique()
    .required();
const scopes = scopesOf(SCOPES);

const facts = {
  id: uuid.required(),
  name: Joi.string().required(),
  scopes,
  createdAt: moment.required(),
  createdBy: Joi.string().required().description('Email address of a person, or name of a token.'),
  expiresAt: moment.allow(null).required(),
  lastUsedAt: moment.allow(null).required().description('Precise to the minute.'),
};
const apiToken = Joi.object(facts);
const newApiToken = Joi.object({
  ...facts,
  token: Joi.string()
    .allow(null)
    .required()
    .description('The API token, shown only once. Null if the request is repeated.'),
});

interface Refs {
  Params: { projectId: string; tokenId: string };
  Payload: { name: string; scopes: Scope[]; expiresAt?: Date };
}

type TokenRequest = Request<Refs>;

/** The owner of the tokens that a set of routes manages. */
interface TokenScope {
  path: '/me/tokens/' | '/projects/{projectId}/tokens/';
  /** For titles. */
  name: string;
  params?: Joi.ObjectSchema;
  /** Scopes that these tokens can have. */
  scopes: readonly Scope[];
  read: Access;
  edit: Access;
  owner(request: TokenRequest): TokenOwner;
}

export const ofPerson: TokenScope = {
  path: '/me/tokens/',
  name: 'personal',
  scopes: SCOPES,
  read: { right: 'account.edit' },
  edit: { right: 'account.edit' },
  owner: (request) => ({ userId: principalOf(request).userId! }),
};

export const ofProject: TokenScope = {
  path: '/projects/{projectId}/tokens/',
  name: 'project',
  params: projectParams,
  scopes: PROJECT_TOKEN_SCOPES,
  read: inProject('apiTokens.read'),
  edit: inProject('apiTokens.edit'),
  owner: (request) => ({ projectId: request.params.projectId }),
};

/** API tokens of a person or a project: list, create, revoke. */
export function apiTokenRoutes({ tokens: { api }, publicUrl }: RouteDeps, of: TokenScope): ServerRoute[] {
  const { path, name, params, read, edit, owner } = of;
  const ownParams = params ? { params } : {};

  return [
    apiRoute<Refs>({
      method: 'GET',
      path,
      access: read,
      query: wholeListQuery,
      ...ownParams,
      summary: `List ${name} API tokens`,
      description: 'Newest first. Revoked tokens are left out, and the tokens themselves are not returned.',
      tag: TAG,
      answers: { 200: { description: 'The API tokens.', schema: listOf(apiToken) } },
      handler: async (request) =>
        listAnswer(request, publicUrl, wholeList(await api.list(owner(request))), showApiToken),
    }),

    apiRoute<Refs>({
      method: 'POST',
      path,
      access: edit,
      ...ownParams,
      body: Joi.object({
        name: tokenName.required(),
        scopes: scopesOf(of.scopes),
        expiresAt: Joi.date().iso().description('When the token expires. Default: never.'),
      }),
      bodyExample: { name: 'CI', scopes: ['read', 'run'] },
      summary: `Create a ${name} API token`,
      tag: TAG,
      idempotent: true,
      answers: {
        200: { description: 'The token previously created with this Idempotency-Key.', schema: newApiToken },
        201: { description: 'The new token, shown only once.', schema: newApiToken },
      },
      async handler(request, h) {
        const { record, token } = await api.create(
          callerOf(request),
          owner(request),
          request.payload,
          idempotencyKeyOf(request),
        );
        return h.response(showNewApiToken(record, token)).code(token === undefined ? 200 : 201);
      },
    }),

    apiRoute<Refs>({
      method: 'DELETE',
      path: `${path}{tokenId}/`,
      access: edit,
      params: (params ?? Joi.object()).keys({ tokenId: uuid.required() }),
      summary: `Revoke a ${name} API token`,
      description: 'Takes effect immediately. Safe to repeat.',
      tag: TAG,
      answers: { 204: { description: 'The token is revoked.' } },
      async handler(request, h) {
        await api.revoke(callerOf(request), owner(request), request.params.tokenId);
        return h.response().code(204);
      },
    }),
  ];
}

export function showApiToken({ id, name, scopes: own, createdAt, createdBy, expiresAt, lastUsedAt }: ApiToken) {
  return {
    id,
    name,
    scopes: own,
    createdAt: createdAt.toISOString(),
    createdBy,
    expiresAt: expiresAt?.toISOString() ?? null,
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  };
}

/** @param token undefined when an earlier call with the same key created it */
export function showNewApiToken(record: ApiToken, token: string | undefined) {
  return { ...showApiToken(record), token: token ?? null };
}
