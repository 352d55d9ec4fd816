import { expect } from 'chai';
import { MongoClient, MongoError } from 'mongodb';
import { collectionsOf, type Collections } from '#src/db/schema/collections.js';
import { createRunInserter, DuplicateRunError } from '#src/db/runs/insert-run.js';
import { aTestRun } from '#test/builders/run.js';
import { startCuttingProxy } from '#test/support/mongodb/cutting-proxy.js';
import { DATABASE_TIMEOUT_MS, testDatabase } from '#test/support/database.js';

describe('insert a run', () => {
  let collections: Collections;
  let url: string;
  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    ({ collections, url } = await testDatabase());
  });

  const reasonOf = (promise: Promise<unknown>) =>
    promise.then(
      () => undefined,
      (error: unknown) => error,
    );

  it('commits concurrent runs together, and fails only the duplicate', async () => {
    const { insert } = createRunInserter(collections);
    const [existing, other] = [aTestRun(), aTestRun()];
    await insert(existing, Infinity);
    const [again, fresh] = await Promise.all([reasonOf(insert(existing, Infinity)), reasonOf(insert(other, Infinity))]);
    expect(again).to.be.instanceOf(DuplicateRunError);
    expect(fresh).to.equal(undefined);
    expect(await collections.runs.countDocuments({ _id: { $in: [existing._id, other._id] } })).to.equal(2);
  });

  it('finds runs by id', async () => {
    const { insert, find } = createRunInserter(collections);
    const run = aTestRun();
    await insert(run, Infinity);
    const [found, missing] = await Promise.all([find(run._id, Infinity), find('missing', Infinity)]);
    expect(found).to.deep.include({ _id: run._id, kind: 'test', targetId: run.targetId, status: 'queued' });
    expect(missing).to.equal(undefined);
  });

  it('never reports success when the connection is lost', async () => {
    const proxy = await startCuttingProxy(Number(new URL(url).port));
    const client = new MongoClient(`mongodb://127.0.0.1:${proxy.port}/?directConnection=true`, {
      serverSelectionTimeoutMS: 500,
    });
    try {
      const throughProxy = collectionsOf(client.db(new URL(url).pathname.slice(1)));
      const { insert } = createRunInserter(throughProxy);
      await insert(aTestRun(), Infinity);
      proxy.cutAt('insert');
      const runs = [aTestRun(), aTestRun()];
      const reasons = await Promise.all(runs.map((run) => reasonOf(insert(run, Infinity))));
      for (const reason of reasons) expect(reason).to.be.instanceOf(MongoError);
      expect(await collections.runs.countDocuments({ _id: { $in: runs.map((run) => run._id) } })).to.equal(0);
    } finally {
      await client.close();
      await proxy.close();
    }
  });
});
