import type { ServerRoute } from '@hapi/hapi';
import type { RouteDeps } from '#src/server/route-deps.js';
import { accountTokenRoutes } from './api-tokens/route.js';
import { profileRoutes } from './profile/route.js';
import { sessionRoutes } from './sessions/route.js';

/** The pages of the viewer’s own account. */
export function accountPages(deps: RouteDeps): ServerRoute[] {
  return [...profileRoutes(deps), ...sessionRoutes(deps), ...accountTokenRoutes(deps)];
}
