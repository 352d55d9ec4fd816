import type { Server } from '@hapi/hapi';
import { createTargetFinder } from '#src/db/targets/find-target.js';
import { createRunInserter } from '#src/db/runs/insert-run.js';
import { randomId } from '#src/domain/ids.js';
import { createRunServices } from '#src/services/runs/run-services.js';
import { createRunTrigger } from '#src/services/trigger/trigger-run.js';
import { aClock } from '#test/builders/clock.js';
import { aSuiteDefinition } from '#test/builders/run.js';
import { aTest } from '#test/builders/test.js';
import { apiServer } from '#test/support/servers/api-server.js';
import { testDatabase, type TestDatabase } from '#test/support/database.js';
import { addPerson, type TestPerson } from '#test/support/people.js';

export interface Answer {
  status: number;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests say what they expect of it
  body: any;
  headers: Record<string, unknown>;
}

/** The API over a real database, with a project with a test and a suite; workflows are not started. */
export interface RunServer {
  server: Server;
  collections: TestDatabase['collections'];
  secretKeys: Buffer[];
  projectId: string;
  testId: string;
  suiteId: string;
  editor: TestPerson;
  viewer: TestPerson;
  stranger: TestPerson;
  /** Runs whose workflow was canceled. */
  cancelled: string[];
  /** The result of canceling a workflow. */
  cancel: (runId: string) => Promise<boolean>;
  isDraining: boolean;
  /** Sent with the editor’s token, unless another header is given. */
  call(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<Answer>;
}

export async function runServer(): Promise<RunServer> {
  const { collections } = await testDatabase();
  const projectId = randomId();
  const person = (role?: 'viewer' | 'editor') => addPerson(collections, role ? { roles: { [projectId]: role } } : {});
  const tests = [aTest({ projectId }), aTest({ projectId, name: 'Search works' })];
  const suiteId = randomId();
  await collections.projects.insertOne({
    _id: projectId,
    name: 'Shop',
    slug: projectId,
    createdAt: new Date(),
    revision: 1,
  });
  await collections.tests.insertMany(tests);
  await collections.suites.insertOne({
    _id: suiteId,
    projectId,
    name: 'Smoke',
    definition: aSuiteDefinition({ tests: tests.map(({ _id }) => _id) }),
    revision: 1,
    modifiedAt: new Date(),
  });
  const trigger = createRunTrigger({
    finder: createTargetFinder(collections),
    inserter: createRunInserter(collections),
    limiter: { prepare: () => {}, admit: async () => ({ end: () => {} }) },
    tokenUses: { note: () => {} },
    clock: aClock(),
    dispatcher: { enqueue: () => {}, firstSweepAt: (now) => new Date(now.getTime() + 3_600_000), isFull: () => false },
    retentionMs: () => 86_400_000,
  });
  const secretKeys = [Buffer.alloc(32, 7)];
  const made: RunServer = {
    server: undefined as never,
    collections,
    secretKeys,
    projectId,
    testId: tests[0]!._id,
    suiteId,
    editor: await person('editor'),
    viewer: await person('viewer'),
    stranger: await person(),
    cancelled: [],
    cancel: async () => true,
    isDraining: false,
    async call(method, path, body, headers = made.editor.tokenHeaders) {
      const {
        statusCode,
        payload,
        headers: answered,
      } = await made.server.inject({
        method,
        url: `/api/v2${path}`,
        headers: { ...made.editor.tokenHeaders, ...headers },
        ...(body ? { payload: body } : {}),
      });
      return { status: statusCode, body: payload ? JSON.parse(payload) : undefined, headers: answered };
    },
  };
  made.server = await apiServer(collections, (services) => ({
    trigger,
    runs: createRunServices({
      ...services,
      secretKeys,
      trigger,
      cancel(runId) {
        made.cancelled.push(runId);
        return made.cancel(runId);
      },
      isDraining: () => made.isDraining,
    }),
  }));
  return made;
}
