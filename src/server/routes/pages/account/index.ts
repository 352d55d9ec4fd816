import type { ServerRoute } from '@hapi/hapi';
import type { RouteDeps } from '../../../context.js';
import { apiTokenPages } from './api-tokens.js';
import { profileRoutes } from './profile.js';
import { sessionRoutes } from './sessions.js';

/** What a person does with his own account. */
export function accountPages(deps: RouteDeps): ServerRoute[] {
  return [...profileRoutes(deps), ...sessionRoutes(deps), ...apiTokenPages(deps)];
}
