import { expect } from 'chai';
import { pino } from 'pino';
import type { Collections } from '#src/db/schema/collections.js';
import { createPoolQueues, type PoolQueues } from '#src/db/pools/pool-queues.js';
import { createWorkerStore, type WorkerStore } from '#src/db/pools/worker-store.js';
import { explainQueuedRuns, watchPools } from '#src/services/pools/watch-pools.js';
import { aTestDefinition, aTestRun } from '#test/builders/run.js';
import { aPool, aWorker } from '#test/builders/worker.js';
import { DATABASE_TIMEOUT_MS, testDatabase } from '#test/support/database.js';
import { eventually } from '#test/support/eventually.js';

describe('pool watch', () => {
  let runs: Collections['runs'];
  let queues: PoolQueues;
  let workers: WorkerStore;
  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    const { collections } = await testDatabase();
    runs = collections.runs;
    queues = createPoolQueues(collections);
    workers = createWorkerStore(collections);
  });

  const silent = pino({ level: 'silent' });
  const insert = async (pool: string, count = 1) => {
    const queued = Array.from({ length: count }, () => aTestRun({ definition: aTestDefinition({ pool }) }));
    await runs.insertMany(queued);
    return queued[0]!._id;
  };
  const reasonOf = async (id: string) => (await runs.findOne({ _id: id }))?.reason;
  /** Only these pools: other tests have queued runs too. */
  const of = (...pools: string[]): PoolQueues => ({ ...queues, pools: async () => pools });

  it('records on queued runs since when their pool has no runner, and clears that again', async () => {
    const pool = aPool();
    const id = await insert(pool);
    const worker = aWorker({ pools: [pool] });
    await workers.heartbeat(worker);
    await workers.markStopped(worker._id);
    await explainQueuedRuns({ queues: of(pool), workers, log: silent }, 10);
    const { at } = (await workers.lastHeartbeat(pool))!;
    expect(await reasonOf(id)).to.equal(`no runner in pool ${pool} since ${at.toISOString()}`);
    await workers.heartbeat(aWorker({ pools: [pool] }));
    await explainQueuedRuns({ queues: of(pool), workers, log: silent }, 10);
    expect(await reasonOf(id)).to.equal(undefined);
  });

  it('does not change runs of a pool with a runner, busy or not', async () => {
    const pool = aPool();
    const id = await insert(pool);
    await workers.heartbeat(aWorker({ pools: [pool] }));
    const before = await runs.findOne({ _id: id });
    expect(await explainQueuedRuns({ queues: of(pool), workers, log: silent }, 10)).to.equal(false);
    expect(await runs.findOne({ _id: id })).to.deep.equal(before);
  });

  it('reports when there is more than one batch', async () => {
    const pool = aPool();
    await insert(pool, 5);
    const look = () => explainQueuedRuns({ queues: of(pool), workers, log: silent }, 3);
    expect([await look(), await look(), await look()]).to.deep.equal([true, false, false]);
    expect(await runs.countDocuments({ 'definition.pool': pool, reason: { $exists: true } })).to.equal(5);
  });

  it('makes no further queries while no run is queued', async () => {
    const asked = { livePools: 0 };
    const counting = { ...workers, livePools: async () => ((asked.livePools += 1), []) };
    await explainQueuedRuns({ queues: of(), workers: counting, log: silent }, 10);
    expect(asked.livePools).to.equal(0);
  });

  it('runs at once, and logs an outage once', async () => {
    const lines: string[] = [];
    const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
    const unavailable = async () => {
      throw new Error('no database');
    };
    const watch = watchPools({ queues: { ...queues, pools: unavailable }, workers, log });
    await eventually(() => lines.length > 0 || undefined);
    await watch.stop();
    expect(lines.join('')).to.include('could not watch pools').and.to.include('no database');
  });
});
