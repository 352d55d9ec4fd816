import type { ServerRoute } from '@hapi/hapi';
import type { RouteDeps } from '../../../context.js';
import { runPageRoute } from './show.js';

export function runPages(deps: RouteDeps): ServerRoute[] {
  return [runPageRoute(deps)];
}
