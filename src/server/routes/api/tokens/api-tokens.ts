import type { Request, ServerRoute } from '@hapi/hapi';
import Joi from 'joi';
import { wholeList } from '../../../../domain/page.js';
import type { ApiToken } from '../../../../domain/people.js';
import { PROJECT_TOKEN_SCOPES, SCOPES, type Scope } from '../../../../domain/rights.js';
import type { TokenOwner } from '../../../../services/tokens/api-tokens.js';
import { type Access, callerOf, inProject, principalOf } from '../../../access.js';
import { apiRoute } from '../../../api/api-route.js';
import { idempotencyKeyOf } from '../../../api/idempotency.js';
import { listAnswer } from '../../../api/paging.js';
import { listOf, moment, projectParams, uuid, wholeListQuery } from '../../../api/shapes.js';
import type { RouteDeps } from '../../../context.js';

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
  createdBy: Joi.string().required().description('E-mail, or the name of a token.'),
  expiresAt: moment.allow(null).required(),
  lastUsedAt: moment.allow(null).required().description('To the minute.'),
};
const apiToken = Joi.object(facts);
const newApiToken = Joi.object({
  ...facts,
  token: Joi.string().allow(null).required().description('In clear, this once; null where the call is repeated.'),
});

interface Refs {
  Params: { projectId: string; tokenId: string };
  Payload: { name: string; scopes: Scope[]; expiresAt?: Date };
}

type TokenRequest = Request<Refs>;

/** Whose tokens a set of routes is about. */
interface Whose {
  path: '/me/tokens/' | '/projects/{projectId}/tokens/';
  /** In titles. */
  name: string;
  params?: Joi.ObjectSchema;
  /** That its tokens can have. */
  scopes: readonly Scope[];
  read: Access;
  edit: Access;
  owner(request: TokenRequest): TokenOwner;
}

export const ofPerson: Whose = {
  path: '/me/tokens/',
  name: 'personal',
  scopes: SCOPES,
  read: { right: 'account.edit' },
  edit: { right: 'account.edit' },
  owner: (request) => ({ userId: principalOf(request).userId! }),
};

export const ofProject: Whose = {
  path: '/projects/{projectId}/tokens/',
  name: 'project’s',
  params: projectParams,
  scopes: PROJECT_TOKEN_SCOPES,
  read: inProject('apiTokens.read'),
  edit: inProject('apiTokens.edit'),
  owner: (request) => ({ projectId: request.params.projectId }),
};

/** API tokens of a person or of a project: listed, made, revoked. */
export function apiTokenRoutes({ tokens: { api }, publicUrl }: RouteDeps, whose: Whose): ServerRoute[] {
  const { path, name, params, read, edit, owner } = whose;
  const ownParams = params ? { params } : {};

  return [
    apiRoute<Refs>({
      method: 'GET',
      path,
      access: read,
      query: wholeListQuery,
      ...ownParams,
      summary: `The ${name} API tokens`,
      description: 'Newest first, without revoked ones. No token itself.',
      tag: TAG,
      answers: { 200: { description: 'The tokens.', schema: listOf(apiToken) } },
      handler: async (request) => listAnswer(request, publicUrl, wholeList(await api.list(owner(request))), shown),
    }),

    apiRoute<Refs>({
      method: 'POST',
      path,
      access: edit,
      ...ownParams,
      body: Joi.object({
        name: Joi.string().trim().min(1).max(200).required(),
        scopes: scopesOf(whose.scopes),
        expiresAt: Joi.date().iso().description('From here on it opens nothing.'),
      }),
      bodyExample: { name: 'CI', scopes: ['read', 'run'] },
      summary: `Makes one of the ${name} API tokens`,
      tag: TAG,
      idempotent: true,
      answers: {
        200: { description: 'The same call has made it before.', schema: newApiToken },
        201: { description: 'The token, shown this once.', schema: newApiToken },
      },
      async handler(request, h) {
        const { record, token } = await api.create(
          callerOf(request),
          owner(request),
          request.payload,
          idempotencyKeyOf(request),
        );
        return h.response({ ...shown(record), token: token ?? null }).code(token === undefined ? 200 : 201);
      },
    }),

    apiRoute<Refs>({
      method: 'DELETE',
      path: `${path}{tokenId}/`,
      access: edit,
      params: (params ?? Joi.object()).keys({ tokenId: uuid.required() }),
      summary: `Revokes one of the ${name} API tokens at once`,
      description: 'Safe to repeat.',
      tag: TAG,
      answers: { 204: { description: 'It opens nothing any more.' } },
      async handler(request, h) {
        await api.revoke(callerOf(request), owner(request), request.params.tokenId);
        return h.response().code(204);
      },
    }),
  ];
}

function shown({ id, name, scopes: own, createdAt, createdBy, expiresAt, lastUsedAt }: ApiToken) {
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
