import type { ServerRoute } from '@hapi/hapi';
import type { RouteDeps } from '../../../context.js';

/** Projects, tests, suites, profiles, import and export. */
export function definitionRoutes(_deps: RouteDeps): ServerRoute[] {
  return [];
}
