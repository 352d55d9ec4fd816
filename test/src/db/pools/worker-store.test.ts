import { expect } from 'chai';
import type { Collections } from '#src/db/schema/collections.js';
import { createWorkerStore, type WorkerStore } from '#src/db/pools/worker-store.js';
import { aPool, aWorker } from '#test/builders/worker.js';
import { DATABASE_TIMEOUT_MS, testDatabase } from '#test/support/database.js';

describe('workers', () => {
  let collection: Collections['workers'];
  let workers: WorkerStore;
  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    const { collections } = await testDatabase();
    collection = collections.workers;
    workers = createWorkerStore(collections);
  });

  const live = async (pool: string) => (await workers.livePools()).find((one) => one.pool === pool);
  /** A worker whose last heartbeat was `agoMs` ago. */
  const aWorkerSeen = async (agoMs: number, some: Parameters<typeof aWorker>[0]) => {
    const worker = aWorker(some);
    await workers.heartbeat(worker);
    await collection.updateOne({ _id: worker._id }, [{ $set: { seenAt: { $subtract: ['$$NOW', agoMs] } } }]);
    return worker;
  };

  it('are recorded by a heartbeat with the database’s time; a later heartbeat changes only seenAt', async () => {
    const worker = aWorker({ pools: [aPool(), '$pool'], buildId: '1.2.3' });
    await workers.heartbeat(worker);
    const first = (await collection.findOne({ _id: worker._id }))!;
    expect(first).to.deep.include(worker);
    expect(first.startedAt).to.deep.equal(first.seenAt);
    await collection.updateOne({ _id: worker._id }, { $set: { seenAt: new Date(0) } });
    await workers.heartbeat(worker);
    const second = (await collection.findOne({ _id: worker._id }))!;
    expect(second.startedAt).to.deep.equal(first.startedAt);
    expect(second.seenAt.getTime()).to.be.at.least(first.seenAt.getTime());
  });

  it('are live for 35 s after a heartbeat, and counted by pool with their slots', async () => {
    const [pool, other] = [aPool(), aPool()];
    await aWorkerSeen(0, { pools: [pool, other], slots: 2 });
    await aWorkerSeen(33_000, { pools: [pool], slots: 3 });
    await aWorkerSeen(36_000, { pools: [pool], slots: 4 });
    expect(await live(pool)).to.deep.equal({ pool, runners: 2, slots: 5 });
    expect(await live(other)).to.deep.equal({ pool: other, runners: 1, slots: 2 });
  });

  it('are dead immediately after an orderly stop, also when a late heartbeat follows', async () => {
    const pool = aPool();
    const worker = aWorker({ pools: [pool] });
    await workers.heartbeat(worker);
    const before = await workers.countLive();
    await workers.markStopped(worker._id);
    await workers.heartbeat(worker);
    expect(await live(pool)).to.equal(undefined);
    expect(await workers.countLive()).to.equal(before - 1);
    expect((await workers.lastHeartbeat(pool))!.agoMs).to.be.below(5000);
  });

  it('report the last heartbeat in a pool and its age', async () => {
    const pool = aPool();
    expect(await workers.lastHeartbeat(pool)).to.equal(undefined);
    await aWorkerSeen(90_000, { pools: [pool] });
    await aWorkerSeen(60_000, { pools: [aPool(), pool] });
    const { agoMs, at } = (await workers.lastHeartbeat(pool))!;
    expect(agoMs).to.be.within(60_000, 65_000);
    expect(Date.now() - at.getTime()).to.be.within(60_000, 65_000);
  });

  it('are removed after a week', async () => {
    const pool = aPool();
    const day = 24 * 3_600_000;
    await aWorkerSeen(8 * day, { pools: [pool] });
    const kept = await aWorkerSeen(6 * day, { pools: [pool] });
    expect(await workers.knownPools()).to.include(pool);
    await workers.removeOld();
    const left = await collection.find({ pools: pool }).toArray();
    expect(left.map(({ _id }) => _id)).to.deep.equal([kept._id]);
  });
});
