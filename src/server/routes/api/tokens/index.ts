import type { ServerRoute } from '@hapi/hapi';
import type { RouteDeps } from '#src/server/route-deps.js';
import { apiTokenRoutes, ofPerson, ofProject } from './api-tokens.js';
import { limitRoutes } from './limits.js';
import { webhookTokenRoutes } from './webhook-tokens.js';

/** Webhook tokens, API tokens, limits. */
export function tokenRoutes(deps: RouteDeps): ServerRoute[] {
  return [
    ...webhookTokenRoutes(deps),
    ...apiTokenRoutes(deps, ofPerson),
    ...apiTokenRoutes(deps, ofProject),
    ...limitRoutes(deps),
  ];
}
