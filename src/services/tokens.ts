import { createApiTokenStore } from '../db/api-tokens.js';
import { createWebhookTokenStore } from '../db/webhook-token-changes.js';
import { latestWebhookCalls } from '../db/webhook-calls.js';
import type { ServiceDeps } from './service-deps.js';
import { createApiTokenServices } from './tokens/api-tokens.js';
import { createProjectLimitServices } from './tokens/project-limits.js';
import { createWebhookTokenServices } from './tokens/webhook-tokens.js';

const LATEST_CALLS = 20;

export type TokenServices = ReturnType<typeof createTokenServices>;

export type TokenServiceDeps = Pick<ServiceDeps, 'collections' | 'secretKeys' | 'clock' | 'audit' | 'limits'>;

/** Webhook tokens, API tokens, limits. */
export function createTokenServices({ collections, secretKeys, clock, audit, limits }: TokenServiceDeps) {
  return {
    webhook: createWebhookTokenServices({
      webhookTokens: collections.webhookTokens,
      store: createWebhookTokenStore(collections),
      secretKeys,
      clock,
      audit,
    }),
    /** The latest calls of a project's webhooks that started a run, newest first. */
    latestWebhookCalls: (projectId: string) => latestWebhookCalls(collections, projectId, LATEST_CALLS),
    api: createApiTokenServices({ store: createApiTokenStore(collections), audit }),
    limits: createProjectLimitServices({ projects: collections.projects, instance: limits, audit }),
  };
}
