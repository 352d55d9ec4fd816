import { expect } from 'chai';
import type { Collections } from '#src/db/schema/collections.js';
import { createPoolQueues, QUEUE_OF_POOL, type PoolQueues } from '#src/db/pools/pool-queues.js';
import { createRunStatusStore } from '#src/db/runs/run-status-store.js';
import type { TestRun } from '#src/domain/runs/run.js';
import { aSuiteRun, aTestDefinition, aTestRun } from '#test/builders/run.js';
import { aPool } from '#test/builders/worker.js';
import { DATABASE_TIMEOUT_MS, testDatabase } from '#test/support/database.js';

function stagesOf(plan: unknown): string[] {
  return [...JSON.stringify(plan).matchAll(/"stage":"(\w+)"/g)].map(([, stage]) => stage!);
}

describe('queues of pools', () => {
  let runs: Collections['runs'];
  let queues: PoolQueues;
  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    const { collections } = await testDatabase();
    runs = collections.runs;
    queues = createPoolQueues(collections);
  });

  const queued = (pool: string, some: Partial<TestRun> = {}) =>
    aTestRun({ definition: aTestDefinition({ pool }), ...some });
  const find = async (run: { _id: string }) => (await runs.findOne({ _id: run._id })) as TestRun;

  it('list the pools with a queued test run', async () => {
    const [waiting, busy] = [aPool(), aPool()];
    await runs.insertMany([queued(waiting), queued(waiting), queued(busy, { status: 'running' }), aSuiteRun()]);
    const pools = await queues.pools();
    expect(pools.filter((pool) => pool === waiting)).to.have.length(1);
    expect(pools).not.to.include(busy).and.not.to.include(null);
  });

  it('count the running test runs of a pool, up to a limit', async () => {
    const pool = aPool();
    const running = () => queued(pool, { status: 'running' });
    await runs.insertMany([running(), running(), running(), queued(pool), queued(aPool(), { status: 'running' })]);
    expect(await queues.countRunning(pool, 10)).to.equal(3);
    expect(await queues.countRunning(pool, 2)).to.equal(2);
  });

  it('set the reason of queued runs of the pool only, and increase `modified`', async () => {
    const pool = aPool();
    const future = new Date(Date.now() + 60_000);
    const [first, second, running, other] = [
      queued(pool),
      queued(pool, { modified: future }),
      queued(pool, { status: 'running' }),
      queued(aPool()),
    ];
    await runs.insertMany([first, second, running, other]);
    expect(await queues.explain(pool, new Date('2026-08-02T10:15:30.007Z'), 10)).to.equal(2);
    const reason = `no runner in pool ${pool} since 2026-08-02T10:15:30.007Z`;
    expect(await find(first)).to.include({ reason, status: 'queued', seq: 0 });
    expect((await find(first)).modified.getTime()).to.be.greaterThan(first.modified.getTime());
    expect((await find(second)).modified.getTime()).to.equal(future.getTime() + 1);
    expect(await find(running)).to.deep.equal(running);
    expect(await find(other)).to.deep.equal(other);
    const explained = await find(first);
    expect(await queues.explain(pool, new Date(), 10), 'all runs have a reason').to.equal(0);
    expect(await find(first)).to.deep.equal(explained);
  });

  it('use each run’s trigger time when the pool never had a runner', async () => {
    const run = queued(aPool(), { queuedAt: new Date('2026-08-02T10:00:00.000Z') });
    await runs.insertOne(run);
    await queues.explain(run.definition.pool, undefined, 10);
    expect((await find(run)).reason).to.match(/ since 2026-08-02T10:00:00\.000Z$/);
  });

  it('remove only the reason that they have set, in batches', async () => {
    const [pool, without] = [aPool(), aPool()];
    const [other, still] = [queued(pool, { reason: 'another reason' }), queued(without)];
    await runs.insertMany([...Array.from({ length: 5 }, () => queued(pool)), other, still]);
    await queues.explain(without, undefined, 10);
    expect(await queues.explain(pool, undefined, 3)).to.equal(3);
    expect(await queues.explain(pool, undefined, 3)).to.equal(2);
    expect(await queues.clear([pool], 4)).to.equal(4);
    expect(await queues.clear([pool], 4)).to.equal(1);
    expect(await queues.clear([pool], 4)).to.equal(0);
    const left = await runs.find({ 'definition.pool': { $in: [pool, without] }, reason: { $exists: true } }).toArray();
    expect(left.map(({ _id }) => _id)).to.have.members([other._id, still._id]);
  });

  describe('a reason', () => {
    it('is removed when the run begins, and when it ends', async () => {
      const statuses = createRunStatusStore(runs);
      const [begun, ended] = [queued(aPool(), { reason: 'waits' }), queued(aPool(), { reason: 'waits' })];
      await runs.insertMany([begun, ended]);
      await statuses.beginAttempt(begun._id, { attempt: 1 }, 'worker');
      await statuses.endRun(ended._id, { status: 'stopped' });
      expect(await find(begun)).to.not.have.property('reason');
      expect(await find(ended)).to.not.have.property('reason');
    });

    it('set by the end of the run stays', async () => {
      const run = queued(aPool(), { reason: 'waits' });
      await runs.insertOne(run);
      await createRunStatusStore(runs).endRun(run._id, { status: 'skipped', reason: 'an earlier run was not over' });
      expect((await find(run)).reason).to.equal('an earlier run was not over');
    });
  });

  it('are read from their index, without scanning other runs', async () => {
    const [long, silent] = [aPool(), aPool()];
    await runs.insertMany([...Array.from({ length: 2000 }, () => queued(long)), queued(silent)]);
    const options = { hint: QUEUE_OF_POOL };
    const match = { status: 'queued' as const, 'definition.pool': { $gte: '' } };
    const pools = await runs
      .aggregate([{ $match: match }, { $group: { _id: '$definition.pool' } }], options)
      .explain('queryPlanner');
    expect(stagesOf(pools)).to.include('DISTINCT_SCAN').and.not.to.include('COLLSCAN').and.not.to.include('FETCH');
    const explained = await runs
      .find({ status: 'queued', 'definition.pool': { $in: [long, silent] }, reason: /^no runner in pool / }, options)
      .explain('executionStats');
    expect(stagesOf(explained)).to.include('IXSCAN').and.not.to.include('COLLSCAN');
    expect(explained.executionStats.totalKeysExamined).to.be.below(10);
    await runs.deleteMany({ 'definition.pool': long });
  });
});
