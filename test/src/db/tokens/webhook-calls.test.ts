import { expect } from 'chai';
import { latestWebhookCalls, SCANNED_RUNS } from '#src/db/tokens/webhook-calls.js';
import { randomId } from '#src/domain/ids.js';
import { testRun } from '#test/builders/sample-runs.js';
import { DATABASE_TIMEOUT_MS, testDatabase, type TestDatabase } from '#test/support/database.js';

describe('latest webhook calls', () => {
  let database: TestDatabase;

  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    database = await testDatabase();
  });

  /** Adds runs of a project, oldest first. */
  async function addRuns(projectId: string, types: ('webhook' | 'api')[]): Promise<string[]> {
    const runs = types.map((type, index) =>
      testRun({ projectId, queuedAt: new Date(Date.now() - 1e6 + index), triggeredBy: { type } }),
    );
    await database.collections.runs.insertMany(runs);
    return runs.map(({ _id }) => _id);
  }

  it('are the newest of the project, up to a limit', async () => {
    const projectId = randomId();
    const [, , second, third] = await addRuns(projectId, ['webhook', 'api', 'webhook', 'webhook', 'api']);
    await addRuns(randomId(), ['webhook']);
    const calls = await latestWebhookCalls(database.collections, projectId, 2);
    expect(calls.map(({ _id }) => _id)).to.deep.equal([third, second]);
    expect(Object.keys(calls[0]!)).to.have.members(['_id', 'kind', 'targetId', 'targetName', 'status', 'queuedAt']);
  });

  it('are searched only among the newest runs', async () => {
    const projectId = randomId();
    await addRuns(projectId, ['webhook', ...Array<'api'>(SCANNED_RUNS).fill('api')]);
    expect(await latestWebhookCalls(database.collections, projectId, 20)).to.deep.equal([]);
  });
});
