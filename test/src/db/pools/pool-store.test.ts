import { expect } from 'chai';
import type { Collections } from '#src/db/schema/collections.js';
import { createPoolStore, recordPools } from '#src/db/pools/pool-store.js';
import { randomId } from '#src/domain/ids.js';
import { aTestDefinition } from '#test/builders/run.js';
import { aTest } from '#test/builders/test.js';
import { DATABASE_TIMEOUT_MS, testDatabase } from '#test/support/database.js';

describe('pool store', () => {
  let collections: Collections;

  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    collections = (await testDatabase()).collections;
  });
  beforeEach(() => Promise.all([collections.pools.deleteMany({}), collections.tests.deleteMany({})]));

  const usedBy = (projectId: string, pool: string) => aTest({ projectId, definition: aTestDefinition({ pool }) });

  it('records pools that tests and workers use: open to their projects, the default pool to all', async () => {
    const [a, b] = [randomId(), randomId()];
    await collections.tests.insertMany([usedBy(a, 'gpu'), usedBy(b, 'gpu'), usedBy(a, 'default'), usedBy(b, 'arm')]);
    const now = new Date();
    const worker = { host: 'h', pid: 1, workflows: true, slots: 1, startedAt: now, seenAt: now };
    await collections.workers.insertOne({ _id: randomId(), pools: ['default', 'idle'], ...worker });
    await recordPools(collections);
    const byName = new Map((await createPoolStore(collections).list()).map((pool) => [pool._id, pool.projects]));
    expect([...byName.keys()]).to.eql(['arm', 'default', 'gpu', 'idle']);
    expect(byName.get('gpu')).to.have.members([a, b]);
    expect([byName.get('arm'), byName.get('default'), byName.get('idle')]).to.eql([[b], 'all', []]);

    // Runs once: an admin's later changes stay.
    await createPoolStore(collections).replace('gpu', 1, { description: '', projects: [] });
    await createPoolStore(collections).remove('arm', 1);
    await recordPools(collections);
    const store = createPoolStore(collections);
    expect([await store.isOpen('gpu', a), await store.isOpen('arm', b), await store.openTo(a)]).to.eql([
      false,
      false,
      ['default'],
    ]);
  });

  it('resumes an interrupted migration', async () => {
    const a = randomId();
    await collections.tests.insertMany([usedBy(a, 'gpu'), usedBy(a, 'arm')]);
    await createPoolStore(collections).insert('gpu', { description: 'kept', projects: 'all' });
    await recordPools(collections);
    expect((await createPoolStore(collections).find('gpu'))!.description).to.equal('kept');
    expect(await createPoolStore(collections).openTo(a)).to.eql(['arm', 'default', 'gpu']);
  });

  it('opens only the default pool without any records', async () => {
    const store = createPoolStore(collections);
    expect([await store.isOpen('default', 'p'), await store.isOpen('gpu', 'p')]).to.eql([true, false]);
    expect(await store.openTo('p')).to.eql(['default']);
  });
});
