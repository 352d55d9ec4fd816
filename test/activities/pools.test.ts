import { expect } from 'chai';
import { createPoolActivities, type PoolActivities } from '#activities/pools.js';
import { createWorkerStore, type WorkerStore } from '#src/db/pools/worker-store.js';
import { aPool, aWorker } from '#test/builders/worker.js';
import { DATABASE_TIMEOUT_MS, testDatabase } from '#test/support/database.js';
import { activityEnvironment } from './activity-environment.js';

describe('findRunner', () => {
  let workers: WorkerStore;
  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    workers = createWorkerStore((await testDatabase()).collections);
  });

  const findRunner = (pool: string, store: Partial<WorkerStore> = {}): ReturnType<PoolActivities['findRunner']> =>
    activityEnvironment().run(
      createPoolActivities({ workers: { ...workers, ...store }, isUntaken: async () => true }).findRunner,
      { pool },
    );

  it('finds a live runner of the pool', async () => {
    const pool = aPool();
    await workers.heartbeat(aWorker({ pools: [aPool(), pool] }));
    expect(await findRunner(pool)).to.deep.equal({ alive: true });
  });

  it('finds none in a pool whose runner has signed off, and returns how long ago that was', async () => {
    const [pool, gone] = [aPool(), aWorker()];
    gone.pools = [pool];
    await workers.heartbeat(gone);
    await workers.markStopped(gone._id);
    await workers.heartbeat(aWorker({ pools: [] }));
    const { alive, seenAgoMs } = await findRunner(pool);
    expect(alive).to.equal(false);
    expect(seenAgoMs).to.be.within(0, 5000);
  });

  it('returns no time if no runner was ever seen', async () => {
    await workers.heartbeat(aWorker({ pools: [] }));
    expect(await findRunner(aPool())).to.deep.equal({ alive: false });
  });

  it('does not decide while no worker has a heartbeat, as after a database outage', async () => {
    const judged = findRunner(aPool(), { livePools: async () => [], countLive: async () => 0 });
    await judged.then(
      () => expect.fail('it judged'),
      (error: Error) => expect(error.message).to.include('No worker has a recent heartbeat'),
    );
  });
});
