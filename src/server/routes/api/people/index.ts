import type { ServerRoute } from '@hapi/hapi';
import type { RouteDeps } from '../../../context.js';

/** People, sessions, members, invitations, audit. */
export function peopleRoutes(_deps: RouteDeps): ServerRoute[] {
  return [];
}
