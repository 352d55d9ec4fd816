import type { ServerRoute } from '@hapi/hapi';
import type { RouteDeps } from '#src/server/route-deps.js';
import { rerunRoutes, stopRoutes } from './actions/route.js';
import { artifactRoute } from './artifacts/route.js';
import { casesPageRoute } from './cases/route.js';
import { testRunEventsRoute } from './test-run/events.js';
import { logFileRoute, logLinesRoute } from './log/route.js';
import { reportRoute } from './report/route.js';
import { runPageRoute } from './test-run/route.js';

export function runPages(deps: RouteDeps): ServerRoute[] {
  return [
    runPageRoute(deps),
    testRunEventsRoute(deps),
    logFileRoute(deps),
    logLinesRoute(deps),
    casesPageRoute(deps),
    artifactRoute(deps),
    reportRoute(deps),
    ...stopRoutes(deps),
    ...rerunRoutes(deps, false),
    ...rerunRoutes(deps, true),
  ];
}
