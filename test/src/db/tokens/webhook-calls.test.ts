import { expect } from 'chai';
import { latestWebhookCalls, LOOKED_AT } from '#src/db/tokens/webhook-calls.js';
import { randomId } from '#src/domain/ids.js';
import { testRun } from '#test/builders/sample-runs.js';
import { DATABASE_TIMEOUT_MS, testDatabase, type TestDatabase } from '#test/support/database.js';

describe('latest webhook calls', () => {
  let database: TestDatabase;

  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    database = await testDatabase();
  });

  /** Runs of one project, the first the oldest. */
  async function addRuns(projectId: string, types: ('webhook' | 'api')[]): Promise<string[]> {
    const runs = types.map((type, index) =>
      testRun({ projectId, queuedAt: new Date(Date.now() - 1e6 + index), triggeredBy: { type } }),
    );
    await database.collections.runs.insertMany(runs);
    return runs.map(({ _id }) => _id);
  }

  it('are the newest of the project, no more than asked for', async () => {
    const projectId = randomId();
    const [, , second, third] = await addRuns(projectId, ['webhook', 'api', 'webhook', 'webhook', 'api']);
    await addRuns(randomId(), ['webhook']);
    const calls = await latestWebhookCalls(database.collections, projectId, 2);
    expect(calls.map(({ _id }) => _id)).to.deep.equal([third, second]);
    expect(Object.keys(calls[0]!)).to.have.members(['_id', 'kind', 'targetId', 'targetName', 'status', 'queuedAt']);
  });

  it('are looked for among the newest runs only, however many others there are', async () => {
    const projectId = randomId();
    await addRuns(projectId, ['webhook', ...Array<'api'>(LOOKED_AT).fill('api')]);
    expect(await latestWebhookCalls(database.collections, projectId, 20)).to.deep.equal([]);
  });
});
