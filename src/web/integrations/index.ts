import type { ServerRoute } from '@hapi/hapi';
import type { RouteDeps } from '#src/server/route-deps.js';
import { ciRoute } from './ci/route.js';
import { integrationsRoute } from './redirect.js';
import { revokeTokenRoutes } from './revoke-token/route.js';
import { rotateTokenRoutes } from './rotate-token/route.js';
import { runFromOutsideRoute } from './run-from-outside/route.js';
import { tokenNetworksRoutes } from './token-networks/route.js';
import { webhooksRoute } from './webhooks/route.js';

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
