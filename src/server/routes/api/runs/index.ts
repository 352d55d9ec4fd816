import type { ServerRoute } from '@hapi/hapi';
import type { RouteDeps } from '../../../context.js';
import { artifactRoute, artifactsRoute } from './artifacts.js';
import { casesRoute } from './cases.js';
import { listRoute, projectRunsRoute, suiteTestsRoute } from './list.js';
import { logsRoute } from './logs.js';
import { changeProfileRoute, profileRoute, removeProfileRoute } from './profile.js';
import { createProfileRoute, profilesRoute } from './profiles.js';
import { rerunRoute } from './rerun.js';
import { showRoute, statusRoute } from './show.js';
import { startRoute } from './start.js';
import { stepsRoute } from './steps.js';
import { stopRoute } from './stop.js';

/** Runs, and the variables that they get. */
export function runRoutes(deps: RouteDeps): ServerRoute[] {
  const ofBoth = (['test', 'suite'] as const).flatMap((kind) => [
    startRoute(kind, deps),
    listRoute(kind, deps),
    showRoute(kind, deps),
    statusRoute(kind, deps),
    stopRoute(kind, deps),
    rerunRoute(kind, deps),
    artifactsRoute(kind, deps),
    artifactRoute(kind, deps),
  ]);
  return [
    ...ofBoth,
    rerunRoute('suite', deps, true),
    suiteTestsRoute(deps),
    projectRunsRoute(deps),
    logsRoute(deps),
    stepsRoute(deps),
    casesRoute(deps),
    profilesRoute(deps),
    createProfileRoute(deps),
    profileRoute(deps),
    changeProfileRoute(deps),
    removeProfileRoute(deps),
  ];
}
