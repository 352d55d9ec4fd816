import { createOpenRunCounter } from '../db/count-open-runs.js';
import { createInvitationStore } from '../db/invitations.js';
import { createMembershipStore } from '../db/memberships.js';
import { createPoolStore } from '../db/pools.js';
import { createProjectStore } from '../db/projects.js';
import { createScheduleStore } from '../db/schedules.js';
import { suiteNames } from '../db/suite-names.js';
import { createTargetStore } from '../db/targets.js';
import { ensureWebhookToken, revokeWebhookTokens } from '../db/webhook-tokens.js';
import { checkPool } from './definitions/check-pool.js';
import { checkTest } from './definitions/check-test.js';
import { exportProject } from './definitions/export-project.js';
import { createProjectImporter } from './definitions/import-by-api.js';
import { createProjectFileParser } from './definitions/parse-in-thread.js';
import { createProjectService } from './definitions/projects.js';
import { checkInNoSuite, checkSuiteTests } from './definitions/suite-links.js';
import { createTargetService } from './definitions/targets.js';
import { checkSchedule } from './schedules/check-schedule.js';
import { createScheduleViews } from './schedules/schedule-views.js';
import type { ServiceDeps } from './service-deps.js';

export type DefinitionServices = ReturnType<typeof createDefinitionServices>;

/**
 * Projects, tests, suites and schedules: reading and changing them, importing and exporting.
 * @param schedulesChanged told of schedules once they are on record; never throws
 */
export function createDefinitionServices(deps: ServiceDeps, schedulesChanged: (...ids: string[]) => Promise<void>) {
  const { collections, secretKeys, audit } = deps;
  const store = createProjectStore(collections);
  const memberships = createMembershipStore(collections);
  const schedules = createScheduleStore(collections);
  const pools = createPoolStore(collections);

  /** What is removed takes its schedules with it. */
  async function endSchedules(projectId: string, targetIds?: readonly string[]): Promise<void> {
    await schedulesChanged(...(await schedules.archiveOf(projectId, targetIds)));
  }
  const withSchedules = async ({ _id, projectId }: { _id: string; projectId: string }, isArchived: boolean) => {
    if (isArchived) await endSchedules(projectId, [_id]);
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
        await endSchedules(projectId);
      },
    }),
    tests: createTargetService({
      kind: 'test',
      store: createTargetStore(collections, 'test'),
      audit,
      checkDefinition: async (projectId, definition, name) => {
        checkTest(definition, name);
        await checkPool(pools, projectId, definition);
      },
      checkUnused: (test) => checkInNoSuite(collections, test),
      changed: withSchedules,
    }),
    suites: createTargetService({
      kind: 'suite',
      store: createTargetStore(collections, 'suite'),
      audit,
      checkDefinition: (projectId, definition) => checkSuiteTests(collections, projectId, definition),
      checkUnused: async () => {},
      changed: withSchedules,
    }),
    schedules: createTargetService({
      kind: 'schedule',
      store: createTargetStore(collections, 'schedule'),
      audit,
      checkDefinition: (projectId, definition) => checkSchedule(collections, projectId, definition),
      checkUnused: async () => {},
      changed: ({ _id }) => schedulesChanged(_id),
    }),
    scheduleViews: createScheduleViews(collections),
    /** The first suites of a project by name, without their definitions: those may be large. */
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
