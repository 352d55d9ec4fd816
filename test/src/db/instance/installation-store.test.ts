import { expect } from 'chai';
import type { collectionsOf } from '#src/db/schema/collections.js';
import { createInstallationStore } from '#src/db/instance/installation-store.js';
import { setUpDatabase } from '#src/db/schema/set-up.js';
import type { TemporalIdentity } from '#src/domain/installation.js';
import { aTestRun } from '#test/builders/run.js';
import { DATABASE_TIMEOUT_MS, testDatabase } from '#test/support/database.js';

const DAY_MS = 86_400_000;

describe('installation', () => {
  let collections: ReturnType<typeof collectionsOf>;
  let store: ReturnType<typeof createInstallationStore>;
  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    ({ collections } = await testDatabase());
    await setUpDatabase(collections);
    store = createInstallationStore(collections);
  });
  beforeEach(async () => {
    await Promise.all([collections.installation.deleteMany({}), collections.runs.deleteMany({})]);
  });

  it('is created once by concurrent calls', async () => {
    const found = await Promise.all(Array.from({ length: 20 }, () => store.find()));
    expect(new Set(found.map(({ id }) => id)).size).to.equal(1);
    expect(found[0]!.id).to.match(/^[0-9a-f]{12}$/);
    expect(await store.find()).to.deep.equal({ id: found[0]!.id, hasLegacyNames: false });
    expect(await collections.installation.countDocuments()).to.equal(1);
  });

  it('has another id in another database', async () => {
    const { id } = await store.find();
    await collections.installation.deleteMany({});
    expect((await store.find()).id).not.to.equal(id);
  });

  it('is bound to one Temporal by concurrent calls, and to another only by rebind', async () => {
    const identities: TemporalIdentity[] = [1, 2, 3].map((n) => ({ namespaceId: `n${n}`, namespace: 'default' }));
    const bound = await Promise.all(identities.map((one) => store.bind(one)));
    const [first] = bound;
    for (const { temporal } of bound) expect(temporal).to.deep.equal(first!.temporal);
    const other = identities.find(({ namespaceId }) => namespaceId !== first!.temporal!.namespaceId)!;
    await store.rebind(other);
    expect((await store.bind(first!.temporal!)).temporal).to.deep.equal(other);
    expect((await store.find()).id).to.equal(first!.id);
  });

  describe('in a database of a version without installation ids', () => {
    const queuedAgo = (ms: number) => aTestRun({ status: 'running', queuedAt: new Date(Date.now() - ms) });
    const upgradedAgo = (ms: number) =>
      collections.installation.updateOne({}, [{ $set: { createdAt: { $subtract: ['$$NOW', ms] } } }]);

    it('keeps the legacy names until a day has passed and no earlier run is open', async () => {
      const open = queuedAgo(2 * DAY_MS);
      await collections.runs.insertOne(open);
      const namesAfter = async (ms: number) => {
        await upgradedAgo(ms);
        await store.endLegacyNames();
        return (await store.find()).hasLegacyNames;
      };
      expect((await store.find()).hasLegacyNames).to.equal(true);
      expect(await namesAfter(2 * DAY_MS), 'a run is open').to.equal(true);
      await collections.runs.updateOne({ _id: open._id }, { $set: { status: 'passed' } });
      expect(await namesAfter(DAY_MS / 2), 'servers of the earlier version may still run').to.equal(true);
      await collections.runs.insertOne(queuedAgo(1000));
      expect(await namesAfter(2 * DAY_MS)).to.equal(false);
    });
  });
});
