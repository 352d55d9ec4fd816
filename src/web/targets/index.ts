import type { ServerRoute } from '@hapi/hapi';
import { TARGET_KINDS } from '#src/domain/targets/target-kind.js';
import { itemFormPages } from '#src/server/forms/item-form.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { archiveRoutes } from './archive/route.js';
import { listRoute } from './list/route.js';
import { runRoute } from './run/route.js';
import { showRoutes } from './show/route.js';
import { suiteForm } from './form/suite-form.js';
import { testForm } from './form/test-form.js';

/** Tests and suites: lists, pages, editors, the "..." menu's actions. */
export function targetPages(deps: RouteDeps): ServerRoute[] {
  return [
    ...TARGET_KINDS.flatMap((kind) => [listRoute(deps, kind), runRoute(deps, kind), ...archiveRoutes(deps, kind)]),
    ...showRoutes(deps),
    ...itemFormPages(deps, testForm(deps)),
    ...itemFormPages(deps, suiteForm(deps)),
  ];
}
