import type { ServerRoute } from '@hapi/hapi';
import { newSuite, newTest, suiteChanges, testChanges } from '../../../../domain/definition-schemas.js';
import { newSchedule, scheduleChanges } from '../../../../domain/schedule-fields.js';
import type { RouteDeps } from '../../../context.js';
import { exportRoute } from './export.js';
import { importRoute } from './import.js';
import { editProjectRoute, getProjectRoute, removeProjectRoute } from './project.js';
import { createProjectRoute, listProjectsRoute } from './projects.js';
import { NEW_SCHEDULE, SAMPLE_SCHEDULE, scheduleShape, showSchedule } from './schedule-shape.js';
import { NEW_SUITE, NEW_TEST, SAMPLE_SUITE, SAMPLE_TEST, showTarget, suiteShape, testShape } from './shapes.js';
import { targetRoutes } from './target-routes.js';

const OF_RUNS = {
  show: showTarget,
  whenChanged: 'Runs work on the definition as it was at their trigger: those under way do not change.',
  whenRemoved:
    'Its webhook leads nowhere any more, and its schedules are removed. Its runs stay until their retention.',
};

/** Projects, tests, suites, schedules, import and export. */
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
      ...OF_RUNS,
      kind: 'test',
      tag: 'Tests',
      service: deps.definitions.tests,
      shape: testShape,
      example: SAMPLE_TEST,
      newBody: newTest,
      newExample: NEW_TEST,
      changesBody: testChanges,
      changesExample: { timeoutMs: 120_000 },
    }),
    ...targetRoutes(deps, {
      ...OF_RUNS,
      kind: 'suite',
      tag: 'Suites',
      service: deps.definitions.suites,
      shape: suiteShape,
      example: SAMPLE_SUITE,
      newBody: newSuite,
      newExample: NEW_SUITE,
      changesBody: suiteChanges,
      changesExample: { parallelism: 8 },
    }),
    ...targetRoutes(deps, {
      kind: 'schedule',
      tag: 'Schedules',
      service: deps.definitions.schedules,
      shape: scheduleShape,
      show: showSchedule,
      example: SAMPLE_SCHEDULE,
      newBody: newSchedule,
      newExample: NEW_SCHEDULE,
      changesBody: scheduleChanges,
      changesExample: { paused: true },
      whenChanged:
        '`paused` pauses and resumes it: what it left out while it was paused is not made up for. It holds in Temporal at once, or when Temporal is back.',
      whenRemoved: 'It starts nothing any more. The runs that it started stay until their retention.',
    }),
  ];
}
