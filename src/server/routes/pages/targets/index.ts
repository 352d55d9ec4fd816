import type { ServerRoute } from '@hapi/hapi';
import type { RouteDeps } from '../../../context.js';
import { archiveRoutes } from './archive.js';
import { editRoutes } from './edit.js';
import { listRoute } from './list.js';
import { newRoutes } from './new.js';
import { runRoute } from './run.js';
import { showRoutes } from './show.js';
import { suiteForm } from './suite-form.js';
import { testForm } from './test-form.js';

/** Tests and suites: lists, pages, editors, the "..." menu's actions. */
export function targetPages(deps: RouteDeps): ServerRoute[] {
  const tests = testForm(deps.publicUrl, deps.definitions.poolsOf);
  const suites = suiteForm(deps.definitions.tests);
  return [
    ...(['test', 'suite'] as const).flatMap((kind) => [
      listRoute(deps, kind),
      runRoute(deps, kind),
      ...archiveRoutes(deps, kind),
    ]),
    ...showRoutes(deps),
    ...newRoutes(deps, 'test', tests),
    ...editRoutes(deps, 'test', tests),
    ...newRoutes(deps, 'suite', suites),
    ...editRoutes(deps, 'suite', suites),
  ];
}
