import type { ServerRoute } from '@hapi/hapi';
import { TARGET_KINDS } from '#src/domain/targets/target-kind.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { artifactRoute, artifactsRoute } from './artifacts.js';
import { casesRoute } from './cases.js';
import { listRoute, projectRunsRoute, suiteTestsRoute } from './list.js';
import { logsRoute } from './logs.js';
import {
  changeVariableSetRoute,
  variableSetRoute,
  removeVariableSetRoute,
} from '#src/server/routes/api/variables/variable-set.js';
import { createVariableSetRoute, variableSetsRoute } from '#src/server/routes/api/variables/variable-sets.js';
import { rerunRoute } from './rerun.js';
import { showRoute, statusRoute } from './show.js';
import { startRoute } from './start.js';
import { stepsRoute } from './steps.js';
import { stopRoute } from './stop.js';

/** Runs and variable sets. */
export function runRoutes(deps: RouteDeps): ServerRoute[] {
  const ofBoth = TARGET_KINDS.flatMap((kind) => [
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
    variableSetsRoute(deps),
    createVariableSetRoute(deps),
    variableSetRoute(deps),
    changeVariableSetRoute(deps),
    removeVariableSetRoute(deps),
  ];
}
