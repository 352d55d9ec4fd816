import { expect } from 'chai';
import { createRunChanges, type RunChanges } from '#src/db/runs/run-changes.js';
import { randomId } from '#src/domain/ids.js';
import { aSuiteRun, aTestRun } from '#test/builders/run.js';
import { DATABASE_TIMEOUT_MS, testDatabase, type TestDatabase } from '#test/support/database.js';

describe('changes of runs', () => {
  let database: TestDatabase;
  let changes: RunChanges;

  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    database = await testDatabase();
    changes = createRunChanges(database.collections);
  });

  it('are found by project and by suite run since a time, in any status', async () => {
    const at = Date.now();
    const projectId = randomId();
    const suite = aSuiteRun({ projectId: randomId() });
    const [own, old, ofSuite, foreign] = [
      aTestRun({ projectId, status: 'passed', modified: new Date(at) }),
      aTestRun({ projectId, modified: new Date(at - 1) }),
      aTestRun({ suiteRunId: suite._id, position: 0, status: 'skipped', modified: new Date(at + 60_000) }),
      aTestRun({ modified: new Date(at) }),
    ];
    await database.collections.runs.insertMany([own!, old!, ofSuite!, foreign!]);
    const whose = { projectIds: [projectId], suiteRunIds: [suite._id] };
    const found = await changes.since(new Date(at), whose, 10);
    expect(found.map(({ _id }) => _id)).to.have.members([own!._id, ofSuite!._id]);
    expect(found.find(({ _id }) => _id === ofSuite!._id)).to.deep.equal({
      _id: ofSuite!._id,
      kind: 'test',
      projectId: ofSuite!.projectId,
      suiteRunId: suite._id,
      status: 'skipped',
      modified: ofSuite!.modified,
      queuedAt: ofSuite!.queuedAt,
    });
    expect(await changes.since(new Date(at), whose, 1)).to.have.length(1);
    expect((await changes.of([old!._id, randomId()])).map(({ _id }) => _id)).to.deep.equal([old!._id]);
  });
});
