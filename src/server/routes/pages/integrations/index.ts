import type { ServerRoute } from '@hapi/hapi';
import type { RouteDeps } from '../../../context.js';
import { ciRoute } from './ci.js';
import { integrationsRoute } from './integrations.js';
import { revokeTokenRoutes } from './revoke-token.js';
import { rotateTokenRoutes } from './rotate-token.js';
import { runFromOutsideRoute } from './run-from-outside.js';
import { tokenNetworksRoutes } from './token-networks.js';
import { webhooksRoute } from './webhooks.js';

/** Where people find their webhook URLs: of a test or suite, and of a project. */
export function integrationPages(deps: RouteDeps): ServerRoute[] {
  return [
    runFromOutsideRoute(deps, 'test'),
    runFromOutsideRoute(deps, 'suite'),
    integrationsRoute(),
    webhooksRoute(deps),
    ciRoute(deps),
    ...rotateTokenRoutes(deps),
    ...revokeTokenRoutes(deps),
    ...tokenNetworksRoutes(deps),
  ];
}
