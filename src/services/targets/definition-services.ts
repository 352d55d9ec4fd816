import { createOpenRunCounter } from '#src/db/runs/count-open-runs.js';
import { createInvitationStore } from '#src/db/people/invitation-store.js';
import { createMembershipStore } from '#src/db/people/membership-store.js';
import { createPoolStore } from '#src/db/pools/pool-store.js';
import { createProjectStore } from '#src/db/projects/project-store.js';
import { createScheduleStore } from '#src/db/schedules/schedule-store.js';
import { suiteNames } from '#src/db/targets/suite-names.js';
import { createScheduleItemStore, createSuiteStore, createTestStore } from '#src/db/targets/target-store.js';
import { ensureWebhookToken, revokeWebhookTokens } from '#src/db/tokens/webhook-tokens.js';
import { checkPool } from './check-pool.js';
import { checkTest } from './check-test.js';
import { exportProject } from '#src/services/projects/export-project.js';
import { createProjectImporter } from '#src/services/projects/import-by-api.js';
import { createProjectFileParser } from '#src/services/projects/parse-in-thread.js';
import { createProjectService } from '#src/services/projects/project-service.js';
import { checkInNoSuites, checkSuiteTests } from './check-suite-tests.js';
import { createItemService } from './item-service.js';
import { checkSchedule } from '#src/services/schedules/check-schedule.js';
import { createScheduleViews } from '#src/services/schedules/schedule-views.js';
import type { ServiceDeps } from '#src/services/service-deps.js';

export type DefinitionServices = ReturnType<typeof createDefinitionServices>;

/**
 * Projects, tests, suites and schedules: reads, changes, imports and exports.
 * @param schedulesChanged called after schedules were recorded; never throws
 */
export function createDefinitionServices(deps: ServiceDeps, schedulesChanged: (...ids: string[]) => Promise<void>) {
  const { collections, secretKeys, audit, clock } = deps;
  const store = createProjectStore(collections);
  const memberships = createMembershipStore(collections);
  const schedules = createScheduleStore(collections);
  const pools = createPoolStore(collections);

  /** Deleting a project or target also archives its schedules. */
  async function archiveSchedules(projectId: string, targetIds?: readonly string[]): Promise<void> {
    await schedulesChanged(...(await schedules.archiveOf(projectId, targetIds)));
  }
  const targetChanged = async ({ _id, projectId }: { _id: string; projectId: string }, isArchived: boolean) => {
    if (isArchived) await archiveSchedules(projectId, [_id]);
  };

  return {
    projects: createProjectService({
      ...deps,
      store,
      memberships,
      countOpen: createOpenRunCounter(collections),
      openWebhooks: (projectId) => ensureWebhookToken(collections.webhookTokens, secretKeys, projectId),
      closeTriggers: async (projectId) => {
        await revokeWebhookTokens(collections.webhookTokens, projectId);
        await createInvitationStore(collections).revokeAll({ projectId });
        await archiveSchedules(projectId);
      },
    }),
    tests: createItemService({
      kind: 'test',
      store: createTestStore(collections),
      audit,
      clock,
      checkDefinition: async (projectId, definition, name) => {
        checkTest(definition, name);
        await checkPool(pools, projectId, definition);
      },
      checkUnused: (test) => checkInNoSuites(collections, test),
      changed: targetChanged,
    }),
    suites: createItemService({
      kind: 'suite',
      store: createSuiteStore(collections),
      audit,
      clock,
      checkDefinition: (projectId, definition) => checkSuiteTests(collections, projectId, definition),
      checkUnused: async () => {},
      changed: targetChanged,
    }),
    schedules: createItemService({
      kind: 'schedule',
      store: createScheduleItemStore(collections),
      audit,
      clock,
      checkDefinition: (projectId, definition) => checkSchedule(collections, projectId, definition),
      checkUnused: async () => {},
      changed: ({ _id }) => schedulesChanged(_id),
    }),
    scheduleViews: createScheduleViews(collections, clock),
    /** The first suites of a project by name, without their definitions, which may be large. */
    suiteNames: (projectId: string, max: number) => suiteNames(collections, projectId, max),
    importFile: createProjectImporter({
      ...deps,
      store,
      memberships,
      pools,
      parse: createProjectFileParser(),
      schedulesChanged,
    }),
    /** Names of the pools that a project may use. */
    poolsOf: pools.openTo,
    exportProject: (projectId: string) => exportProject(collections, projectId),
  };
}
