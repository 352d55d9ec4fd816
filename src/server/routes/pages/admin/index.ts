import type { ServerRoute } from '@hapi/hapi';
import type { RouteDeps } from '../../../context.js';

export function adminPages(_deps: RouteDeps): ServerRoute[] {
  return [];
}
