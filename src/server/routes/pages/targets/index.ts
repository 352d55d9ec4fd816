import type { ServerRoute } from '@hapi/hapi';
import type { RouteDeps } from '../../../context.js';
import { archiveRoutes } from './archive.js';

/** Tests and suites: lists, pages, editors, the "..." menu's actions. */
export function targetPages(deps: RouteDeps): ServerRoute[] {
  return (['test', 'suite'] as const).flatMap((kind) => [...archiveRoutes(deps, kind)]);
}
