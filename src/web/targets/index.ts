import type { ServerRoute } from '@hapi/hapi';
import { TARGET_KINDS } from '#src/domain/targets/target-kind.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { archiveRoutes } from './archive/route.js';
import { editRoutes } from './edit/route.js';
import { listRoute } from './list/route.js';
import { newRoutes } from './new/route.js';
import { runRoute } from './run/route.js';
import { showRoutes } from './show/route.js';
import { suiteForm } from './form/read-suite-form.js';
import { testForm } from './form/read-test-form.js';

/** Tests and suites: lists, pages, editors, the "..." menu's actions. */
export function targetPages(deps: RouteDeps): ServerRoute[] {
  const tests = testForm(deps.publicUrl, deps.definitions.poolsOf);
  const suites = suiteForm(deps.definitions.tests);
  return [
    ...TARGET_KINDS.flatMap((kind) => [listRoute(deps, kind), runRoute(deps, kind), ...archiveRoutes(deps, kind)]),
    ...showRoutes(deps),
    ...newRoutes(deps, 'test', deps.definitions.tests, tests),
    ...editRoutes(deps, 'test', deps.definitions.tests, tests),
    ...newRoutes(deps, 'suite', deps.definitions.suites, suites),
    ...editRoutes(deps, 'suite', deps.definitions.suites, suites),
  ];
}
