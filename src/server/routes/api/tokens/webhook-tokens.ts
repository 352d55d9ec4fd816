import type { ServerRoute } from '@hapi/hapi';
import Joi from 'joi';
import { wholeList } from '../../../../domain/page.js';
import { isNetwork } from '../../../../domain/networks.js';
import type { RunKind } from '../../../../domain/run.js';
import { idPlaceholder, webhookPath } from '../../../../domain/webhook-url.js';
import type { ShownWebhookToken } from '../../../../services/tokens/webhook-tokens.js';
import { callerOf, inProject } from '../../../access.js';
import { apiRoute } from '../../../api/api-route.js';
import { idempotencyKeyOf } from '../../../api/idempotency.js';
import { listAnswer } from '../../../api/paging.js';
import { listOf, moment, projectParams, uuid, wholeListQuery } from '../../../api/shapes.js';
import type { RouteDeps } from '../../../context.js';

const TAG = 'Webhook tokens';
const MOST_NETWORKS = 100;
export const KEEP_HOURS = 24;
const LONGEST_KEEP_HOURS = 720;

const network = Joi.string()
  .max(50)
  .custom((value: string, helpers) => (isNetwork(value) ? value : helpers.error('any.invalid')))
  .messages({ '*': '{{#label}} must be an address or a network such as 10.0.0.0/8 or 2001:db8::/32' });

/** From where a token opens something. */
export const allowedNetworks = Joi.array()
  .items(network)
  .max(MOST_NETWORKS)
  .allow(null)
  .description('Addresses and CIDR blocks from which it opens something; null: from everywhere.');

/** How long the tokens before a new one stay good. */
export const keepOldForHours = Joi.number()
  .min(0)
  .max(LONGEST_KEEP_HOURS)
  .default(KEEP_HOURS)
  .description('How long the tokens before it stay good; 0: they are revoked at once.');

const webhookToken = Joi.object({
  number: Joi.number().integer().min(1).required(),
  token: Joi.string().allow(null).required().description('In clear; null when it is revoked.'),
  createdAt: moment.required(),
  expiresAt: moment.allow(null).required(),
  revokedAt: moment.allow(null).required(),
  lastUsedAt: moment.allow(null).required().description('To the minute.'),
  allowedNetworks: Joi.array().items(Joi.string()).allow(null).required().description('null: from everywhere.'),
  testUrl: Joi.string().allow(null).required().description('Put a test’s id in place of <TEST_ID>.'),
  suiteUrl: Joi.string().allow(null).required().description('Put a suite’s id in place of <SUITE_ID>.'),
});

const tokenParams = Joi.object({
  projectId: uuid.required(),
  number: Joi.number().integer().min(1).max(1_000_000_000).required(),
});

interface Refs {
  Params: { projectId: string; number: number };
}

/** Webhook tokens of a project: shown, rotated, changed, revoked. */
export function webhookTokenRoutes({ tokens: { webhook }, publicUrl }: RouteDeps): ServerRoute[] {
  const shown = (one: ShownWebhookToken) => {
    const url = (kind: RunKind) =>
      one.token ? `${publicUrl}${webhookPath(one.token, kind, idPlaceholder(kind))}` : null;
    return {
      number: one.number,
      token: one.token ?? null,
      createdAt: one.createdAt.toISOString(),
      expiresAt: one.expiresAt?.toISOString() ?? null,
      revokedAt: one.revokedAt?.toISOString() ?? null,
      lastUsedAt: one.lastUsedAt?.toISOString() ?? null,
      allowedNetworks: one.allowedNetworks ?? null,
      testUrl: url('test'),
      suiteUrl: url('suite'),
    };
  };

  return [
    apiRoute<Refs>({
      method: 'GET',
      query: wholeListQuery,
      path: '/projects/{projectId}/webhook-tokens/',
      access: inProject('webhookTokens.read'),
      params: projectParams,
      summary: 'Webhook tokens of a project',
      description: 'Newest first, up to a hundred, revoked ones included.',
      tag: TAG,
      answers: { 200: { description: 'The tokens, in clear.', schema: listOf(webhookToken) } },
      handler: async (request) =>
        listAnswer(request, publicUrl, wholeList(await webhook.list(request.params.projectId)), shown),
    }),

    apiRoute<Refs & { Payload: { keepOldForHours: number } }>({
      method: 'POST',
      path: '/projects/{projectId}/webhook-tokens/rotate/',
      access: inProject('webhookTokens.edit'),
      params: projectParams,
      body: Joi.object({ keepOldForHours }),
      bodyExample: { keepOldForHours: KEEP_HOURS },
      summary: 'A new webhook token in place of the others',
      tag: TAG,
      idempotent: true,
      answers: {
        200: { description: 'The token that the same call has made before.', schema: webhookToken },
        201: { description: 'The new token.', schema: webhookToken },
      },
      async handler(request, h) {
        const { token, isNew } = await webhook.rotate(callerOf(request), {
          projectId: request.params.projectId,
          keepOldForHours: request.payload.keepOldForHours,
          idempotencyKey: idempotencyKeyOf(request),
        });
        return h.response(shown(token)).code(isNew ? 201 : 200);
      },
    }),

    apiRoute<Refs & { Payload: { expiresAt?: Date | null; allowedNetworks?: string[] | null } }>({
      method: 'PATCH',
      path: '/projects/{projectId}/webhook-tokens/{number}/',
      access: inProject('webhookTokens.edit'),
      params: tokenParams,
      body: Joi.object({
        expiresAt: Joi.date().iso().allow(null).description('From here on it opens nothing; null: never.'),
        allowedNetworks,
      }).min(1),
      bodyExample: { expiresAt: '2030-01-01T00:00:00.000Z', allowedNetworks: ['192.0.2.0/24'] },
      summary: 'Until when and from where a webhook token is good',
      tag: TAG,
      answers: {
        200: { description: 'The changed token.', schema: webhookToken },
        409: { description: 'The token is revoked (`token_revoked`).' },
      },
      handler: async (request) =>
        shown(
          await webhook.change(callerOf(request), request.params.projectId, request.params.number, request.payload),
        ),
    }),

    apiRoute<Refs>({
      method: 'POST',
      path: '/projects/{projectId}/webhook-tokens/{number}/revoke/',
      access: inProject('webhookTokens.edit'),
      params: tokenParams,
      summary: 'Revokes a webhook token at once',
      description: 'From this answer on it opens nothing on any server. Safe to repeat.',
      tag: TAG,
      answers: { 200: { description: 'The revoked token.', schema: webhookToken } },
      handler: async (request) =>
        shown(await webhook.revoke(callerOf(request), request.params.projectId, request.params.number)),
    }),
  ];
}
