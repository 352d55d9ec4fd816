import type { ServerRoute } from '@hapi/hapi';
import type { RouteDeps } from '#src/server/route-deps.js';
import { accountPages } from './account/index.js';
import { adminPages } from './admin/index.js';
import { insightsPages } from './insights/index.js';
import { integrationPages } from './integrations/index.js';
import { projectPages } from './projects/index.js';
import { runListPages } from './runs-list/index.js';
import { runPages } from './runs/index.js';
import { schedulePages } from './schedules/index.js';
import { settingsPages } from './settings/index.js';
import { suiteRunPages } from './suite-runs/index.js';
import { targetPages } from './targets/index.js';

/** Every page of the web app for people who are signed in, and the forms on them. */
export function pages(deps: RouteDeps): ServerRoute[] {
  return [
    ...projectPages(deps),
    ...targetPages(deps),
    ...schedulePages(deps),
    ...runPages(deps),
    ...suiteRunPages(deps),
    ...runListPages(deps),
    ...insightsPages(deps),
    ...integrationPages(deps),
    ...settingsPages(deps),
    ...accountPages(deps),
    ...adminPages(deps),
  ];
}
