import type { ServerRoute } from '@hapi/hapi';
import type { RouteDeps } from '../../../context.js';
import { runFromOutsideRoute } from './run-from-outside.js';

/** Where people find their webhook URLs: of a test or suite, and of a project. */
export function integrationPages(deps: RouteDeps): ServerRoute[] {
  return [runFromOutsideRoute(deps, 'test'), runFromOutsideRoute(deps, 'suite')];
}
