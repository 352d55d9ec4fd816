import type { ServerRoute } from '@hapi/hapi';
import Joi from 'joi';
import type { TargetKind } from '#src/domain/targets/target-kind.js';
import { wholeList } from '#src/domain/page.js';
import { isNetwork } from '#src/domain/tokens/networks.js';
import { idPlaceholder, webhookPath } from '#src/domain/tokens/webhook-url.js';
import type { ShownWebhookToken } from '#src/services/tokens/webhook-token-services.js';
import { callerOf, inProject } from '#src/server/http/route-access.js';
import { apiRoute } from '#src/server/api/api-route.js';
import { idempotencyKeyOf } from '#src/server/api/idempotency.js';
import { listAnswer } from '#src/server/api/paging.js';
import { listOf, moment, projectParams, uuid, wholeListQuery } from '#src/server/api/shapes.js';
import type { RouteDeps } from '#src/server/route-deps.js';

const TAG = 'Webhook tokens';
const MAX_NETWORKS = 100;
export const KEEP_HOURS = 24;
const MAX_KEEP_HOURS = 720;

const network = Joi.string()
  .max(50)
  .custom((value: string, helpers) => (isNetwork(value) ? value : helpers.error('any.invalid')))
  .messages({ '*': '{{#label}} must be an IP address or a network such as 10.0.0.0/8 or 2001:db8::/32' });

/** Networks from which a token is accepted. */
export const allowedNetworks = Joi.array()
  .items(network)
  .max(MAX_NETWORKS)
  .allow(null)
  .description('IP addresses and CIDR blocks from which the token is accepted; null: any.');

/** How long previous tokens remain valid after a rotation. */
export const keepOldForHours = Joi.number()
  .min(0)
  .max(MAX_KEEP_HOURS)
  .default(KEEP_HOURS)
  .description('How many hours the previous tokens remain valid; 0 revokes them immediately.');

const webhookToken = Joi.object({
  number: Joi.number().integer().min(1).required(),
  token: Joi.string().allow(null).required().description('The token in plain text; null if it is revoked.'),
  createdAt: moment.required(),
  expiresAt: moment.allow(null).required(),
  revokedAt: moment.allow(null).required(),
  lastUsedAt: moment.allow(null).required().description('Precise to the minute.'),
  allowedNetworks: Joi.array()
    .items(Joi.string())
    .allow(null)
    .required()
    .description('Networks from which the token is accepted; null: any.'),
  testUrl: Joi.string().allow(null).required().description('Replace <TEST_ID> with the ID of a test.'),
  suiteUrl: Joi.string().allow(null).required().description('Replace <SUITE_ID> with the ID of a suite.'),
});

const tokenParams = Joi.object({
  projectId: uuid.required(),
  number: Joi.number().integer().min(1).max(1_000_000_000).required(),
});

interface Refs {
  Params: { projectId: string; number: number };
}

/** Webhook tokens of a project: list, rotate, update, revoke. */
export function webhookTokenRoutes({ tokens: { webhook }, publicUrl }: RouteDeps): ServerRoute[] {
  const shown = (token: ShownWebhookToken) => showWebhookToken(token, publicUrl);

  return [
    apiRoute<Refs>({
      method: 'GET',
      query: wholeListQuery,
      path: '/projects/{projectId}/webhook-tokens/',
      access: inProject('webhookTokens.read'),
      params: projectParams,
      summary: 'List the webhook tokens of a project',
      description: 'Up to 100 tokens, newest first, including revoked ones.',
      tag: TAG,
      answers: { 200: { description: 'The tokens in plain text.', schema: listOf(webhookToken) } },
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
      summary: 'Rotate the webhook token',
      tag: TAG,
      idempotent: true,
      answers: {
        200: { description: 'The token previously created with this Idempotency-Key.', schema: webhookToken },
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
        expiresAt: Joi.date().iso().allow(null).description('When the token expires; null: never.'),
        allowedNetworks,
      }).min(1),
      bodyExample: { expiresAt: '2030-01-01T00:00:00.000Z', allowedNetworks: ['192.0.2.0/24'] },
      summary: 'Update the expiration and networks of a webhook token',
      tag: TAG,
      answers: {
        200: { description: 'The updated token.', schema: webhookToken },
        409: { description: '`token_revoked`: the token is revoked.' },
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
      summary: 'Revoke a webhook token',
      description: 'Takes effect on all servers immediately. Safe to repeat.',
      tag: TAG,
      answers: { 200: { description: 'The revoked token.', schema: webhookToken } },
      handler: async (request) =>
        shown(await webhook.revoke(callerOf(request), request.params.projectId, request.params.number)),
    }),
  ];
}

export function showWebhookToken(one: ShownWebhookToken, publicUrl: string) {
  const url = (kind: TargetKind) =>
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
}
