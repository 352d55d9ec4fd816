import type { ServerRoute } from '@hapi/hapi';
import { newSuite, newTest, suiteChanges, testChanges } from '#src/domain/targets/definition-schemas.js';
import { newSchedule, scheduleChanges } from '#src/domain/schedules/schedule-fields.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { exportRoute } from '#src/server/routes/api/projects/export.js';
import { importRoute } from '#src/server/routes/api/projects/import.js';
import { editProjectRoute, getProjectRoute, removeProjectRoute } from '#src/server/routes/api/projects/project.js';
import { createProjectRoute, listProjectsRoute } from '#src/server/routes/api/projects/projects.js';
import { NEW_SCHEDULE, SAMPLE_SCHEDULE, scheduleShape, showSchedule } from './schedule-shape.js';
import {
  NEW_SUITE,
  NEW_TEST,
  SAMPLE_SUITE,
  SAMPLE_TEST,
  showSuite,
  showTest,
  suiteShape,
  testShape,
} from './target-shapes.js';
import { itemRoutes } from './target-routes.js';

const OF_RUNS = {
  whenChanged: 'Runs use the definition at the time of their trigger: runs in progress are not affected.',
  whenRemoved:
    'Its webhook stops working, and its schedules are deleted. Its runs are kept until their retention ends.',
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
    ...itemRoutes(deps, {
      ...OF_RUNS,
      kind: 'test',
      tag: 'Tests',
      service: deps.definitions.tests,
      shape: testShape,
      show: showTest,
      example: SAMPLE_TEST,
      newBody: newTest,
      newExample: NEW_TEST,
      changesBody: testChanges,
      changesExample: { timeoutMs: 120_000 },
    }),
    ...itemRoutes(deps, {
      ...OF_RUNS,
      kind: 'suite',
      tag: 'Suites',
      service: deps.definitions.suites,
      shape: suiteShape,
      show: showSuite,
      example: SAMPLE_SUITE,
      newBody: newSuite,
      newExample: NEW_SUITE,
      changesBody: suiteChanges,
      changesExample: { parallelism: 8 },
    }),
    ...itemRoutes(deps, {
      kind: 'schedule',
      tag: 'Schedules',
      service: deps.definitions.schedules,
      shape: scheduleShape,
      show: (schedule) => showSchedule(schedule, deps.clock.now()),
      example: SAMPLE_SCHEDULE,
      newBody: newSchedule,
      newExample: NEW_SCHEDULE,
      changesBody: scheduleChanges,
      changesExample: { paused: true },
      whenChanged:
        'Set `paused` to pause or resume the schedule. Runs missed while it was paused are not started later. The change takes effect immediately, or as soon as Temporal is available.',
      whenRemoved: 'The schedule no longer starts runs. The runs it started are kept until their retention ends.',
    }),
  ];
}
