import type { ServerRoute } from '@hapi/hapi';
import type { RouteDeps } from '../../../context.js';

export function accountPages(_deps: RouteDeps): ServerRoute[] {
  return [];
}
