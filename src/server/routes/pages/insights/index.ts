import type { ServerRoute } from '@hapi/hapi';
import type { RouteDeps } from '../../../context.js';
import { insightsRoute } from './insights.js';

/** How a project did over time. */
export function insightsPages(deps: RouteDeps): ServerRoute[] {
  return [insightsRoute(deps)];
}
