import { createMembershipStore } from '../db/memberships.js';
import { createProjectStore } from '../db/projects.js';
import { suiteNames } from '../db/suite-names.js';
import { createTargetStore } from '../db/targets.js';
import { ensureWebhookToken, revokeWebhookTokens } from '../db/webhook-tokens.js';
import { checkTest } from './definitions/check-test.js';
import { exportProject } from './definitions/export-project.js';
import { createProjectImporter } from './definitions/import-by-api.js';
import { createProjectFileParser } from './definitions/parse-in-thread.js';
import { createProjectService } from './definitions/projects.js';
import { checkInNoSuite, checkSuiteTests } from './definitions/suite-links.js';
import { createTargetService } from './definitions/targets.js';
import type { ServiceDeps } from './service-deps.js';

export type DefinitionServices = ReturnType<typeof createDefinitionServices>;

/** Projects, tests and suites: reading and changing them, importing and exporting. */
export function createDefinitionServices(deps: ServiceDeps) {
  const { collections, secretKeys, audit } = deps;
  const store = createProjectStore(collections);
  const memberships = createMembershipStore(collections);
  return {
    projects: createProjectService({
      ...deps,
      store,
      memberships,
      openWebhooks: (projectId) => ensureWebhookToken(collections.webhookTokens, secretKeys, projectId),
      closeWebhooks: (projectId) => revokeWebhookTokens(collections.webhookTokens, projectId),
    }),
    tests: createTargetService({
      kind: 'test',
      store: createTargetStore(collections, 'test'),
      audit,
      checkDefinition: async (_projectId, definition, name) => checkTest(definition, name),
      checkUnused: (test) => checkInNoSuite(collections, test),
    }),
    suites: createTargetService({
      kind: 'suite',
      store: createTargetStore(collections, 'suite'),
      audit,
      checkDefinition: (projectId, definition) => checkSuiteTests(collections, projectId, definition),
      checkUnused: async () => {},
    }),
    /** The first suites of a project by name, without their definitions: those may be large. */
    suiteNames: (projectId: string, max: number) => suiteNames(collections, projectId, max),
    importFile: createProjectImporter({ ...deps, store, memberships, parse: createProjectFileParser() }),
    exportProject: (projectId: string) => exportProject(collections, projectId),
  };
}
