import { createApiTokenStore } from '#src/db/tokens/api-token-store.js';
import { createWebhookTokenStore } from '#src/db/tokens/webhook-token-store.js';
import { latestWebhookCalls } from '#src/db/tokens/webhook-calls.js';
import type { ServiceDeps } from '#src/services/service-deps.js';
import { createApiTokenServices } from './api-token-services.js';
import { createProjectLimitServices } from './project-limit-services.js';
import { createWebhookTokenServices } from './webhook-token-services.js';

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
    /** The latest webhook calls of a project that started a run, newest first. */
    latestWebhookCalls: (projectId: string) => latestWebhookCalls(collections, projectId, LATEST_CALLS),
    api: createApiTokenServices({ store: createApiTokenStore(collections), audit, clock }),
    limits: createProjectLimitServices({ projects: collections.projects, instance: limits, audit }),
  };
}
