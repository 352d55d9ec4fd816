import type { ServerRoute } from '@hapi/hapi';
import type { RouteDeps } from '#src/server/route-deps.js';
import { apiDocsRoute } from '#src/web/api-reference/route.js';
import { definitionRoutes } from './targets/index.js';
import { meRoute } from './me.js';
import { openApiRoute } from './openapi-route.js';
import { peopleRoutes } from './people/index.js';
import { poolRoutes } from './pools/index.js';
import { runRoutes } from './runs/index.js';
import { tokenRoutes } from './tokens/index.js';

/** Every route of the API. */
export function apiRoutes(deps: RouteDeps): ServerRoute[] {
  return [
    openApiRoute(deps),
    apiDocsRoute(deps),
    meRoute(deps),
    ...peopleRoutes(deps),
    ...tokenRoutes(deps),
    ...definitionRoutes(deps),
    ...poolRoutes(deps),
    ...runRoutes(deps),
  ];
}
