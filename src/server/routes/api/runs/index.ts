import type { ServerRoute } from '@hapi/hapi';
import type { RouteDeps } from '../../../context.js';

/** Runs. */
export function runRoutes(_deps: RouteDeps): ServerRoute[] {
  return [];
}
