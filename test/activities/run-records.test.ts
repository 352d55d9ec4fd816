import { expect } from 'chai';
import { createRunRecordActivities, type RunRecordActivities } from '#activities/run-records.js';
import type { Collections } from '#src/db/schema/collections.js';
import { createRunStatusStore } from '#src/db/runs/run-status-store.js';
import type { TestRun } from '#src/domain/runs/run.js';
import { aTestRun } from '#test/builders/run.js';
import { DATABASE_TIMEOUT_MS, testDatabase } from '#test/support/database.js';
import { activityEnvironment } from './activity-environment.js';

describe('recordEnd', () => {
  let runs: Collections['runs'];
  let recordEnd: RunRecordActivities['recordEnd'];
  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    ({ runs } = (await testDatabase()).collections);
    ({ recordEnd } = createRunRecordActivities({ statuses: createRunStatusStore(runs), requestStop: async () => {} }));
  });

  const end = (input: Parameters<typeof recordEnd>[0]) => activityEnvironment().run(recordEnd, input);

  it('ends a run with its reason, and an attempt in progress with it', async () => {
    const run = aTestRun({
      status: 'running',
      attempt: 1,
      attempts: [{ number: 1, delivery: 1, worker: 'lost', startedAt: new Date() }],
    });
    await runs.insertOne(run);
    const why = { errorCode: 'WORKER_LOST', errorMessage: 'No worker could finish it.' } as const;
    expect(await end({ runId: run._id, status: 'error', ...why })).to.deep.equal({ status: 'error' });
    const after = (await runs.findOne({ _id: run._id })) as TestRun;
    expect(after).to.include({ status: 'error', ...why });
    expect(after.endedAt).to.be.instanceOf(Date);
    expect(after.attempts[0]!.verdict).to.deep.equal({ status: 'error', ...why });
    expect(after.modified.getTime()).to.be.greaterThan(run.modified.getTime());
  });

  it('keeps an earlier end and returns it', async () => {
    const run = aTestRun({ status: 'passed', endedAt: new Date() });
    await runs.insertOne(run);
    expect(await end({ runId: run._id, status: 'stopped' })).to.deep.equal({ status: 'passed' });
    expect(await runs.findOne({ _id: run._id })).to.deep.equal(run);
  });

  it('changes nothing when delivered twice', async () => {
    const run = aTestRun();
    await runs.insertOne(run);
    await end({ runId: run._id, status: 'stopped' });
    const first = await runs.findOne({ _id: run._id });
    expect(await end({ runId: run._id, status: 'stopped' })).to.deep.equal({ status: 'stopped' });
    expect(await runs.findOne({ _id: run._id })).to.deep.equal(first);
  });
});
