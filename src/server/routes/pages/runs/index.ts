import type { ServerRoute } from '@hapi/hapi';
import type { RouteDeps } from '../../../context.js';
import { rerunRoutes, stopRoutes } from './actions.js';
import { artifactRoute } from './artifacts.js';
import { casesPageRoute } from './cases.js';
import { testRunEventsRoute } from './events.js';
import { logFileRoute, logLinesRoute } from './log.js';
import { reportRoute } from './report.js';
import { runPageRoute } from './show.js';

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
