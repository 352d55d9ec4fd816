import type { ServerRoute } from '@hapi/hapi';
import { newSuite, newTest, suiteChanges, testChanges } from '../../../../domain/definition-schemas.js';
import type { RouteDeps } from '../../../context.js';
import { exportRoute } from './export.js';
import { importRoute } from './import.js';
import { editProjectRoute, getProjectRoute, removeProjectRoute } from './project.js';
import { createProjectRoute, listProjectsRoute } from './projects.js';
import { NEW_SUITE, NEW_TEST, SAMPLE_SUITE, SAMPLE_TEST, suiteShape, testShape } from './shapes.js';
import { targetRoutes } from './target-routes.js';

/** Projects, tests, suites, import and export. */
export function definitionRoutes(deps: RouteDeps): ServerRoute[] {
  return [
    listProjectsRoute(deps),
    createProjectRoute(deps),
    getProjectRoute(deps),
    editProjectRoute(deps),
    removeProjectRoute(deps),
    importRoute(deps),
    exportRoute(deps),
    ...targetRoutes(deps, {
      kind: 'test',
      service: deps.definitions.tests,
      shape: testShape,
      example: SAMPLE_TEST,
      newBody: newTest,
      newExample: NEW_TEST,
      changesBody: testChanges,
      changesExample: { timeoutMs: 120_000 },
    }),
    ...targetRoutes(deps, {
      kind: 'suite',
      service: deps.definitions.suites,
      shape: suiteShape,
      example: SAMPLE_SUITE,
      newBody: newSuite,
      newExample: NEW_SUITE,
      changesBody: suiteChanges,
      changesExample: { parallelism: 8 },
    }),
  ];
}
