import type { ServerRoute } from '@hapi/hapi';
import type { RouteDeps } from '../../../context.js';

/** Webhook tokens, API tokens, limits. */
export function tokenRoutes(_deps: RouteDeps): ServerRoute[] {
  return [];
}
