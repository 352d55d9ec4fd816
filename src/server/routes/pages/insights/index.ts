import type { ServerRoute } from '@hapi/hapi';
import type { RouteDeps } from '../../../context.js';

export function insightsPages(_deps: RouteDeps): ServerRoute[] {
  return [];
}
