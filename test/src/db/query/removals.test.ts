import { expect } from 'chai';
import { MongoClient, type CommandSucceededEvent, type Document } from 'mongodb';
import { createRateBuckets } from '#src/db/instance/rate-buckets.js';
import { createSessionStore } from '#src/db/people/session-store.js';
import { createWorkerStore } from '#src/db/pools/worker-store.js';
import { collectionsOf, type Collections } from '#src/db/schema/collections.js';
import { randomId } from '#src/domain/ids.js';
import { createSignInThrottle } from '#src/services/people/sign-in-throttle.js';
import { DATABASE_TIMEOUT_MS, testDatabase } from '#test/support/database.js';

const DOCUMENTS = 2500;
const MAX = 1000;

describe('expired documents', () => {
  let client: MongoClient;
  let collections: Collections;
  /** Documents removed by each delete. */
  const removed: number[] = [];

  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    const { url } = await testDatabase();
    client = await new MongoClient(url, { monitorCommands: true, ignoreUndefined: true }).connect();
    client.on('commandSucceeded', ({ commandName, reply }: CommandSucceededEvent) => {
      if (commandName === 'delete') removed.push((reply as { n: number }).n);
    });
    collections = collectionsOf(client.db());
  });
  after(() => client.close());
  beforeEach(() => void removed.splice(0));

  const past = new Date(0);
  const userId = randomId();
  const REMOVALS: Record<string, { of: keyof Collections; document: Document; remove: () => Promise<unknown> }> = {
    'expired sessions': {
      of: 'sessions',
      document: { userId: randomId(), expiresAt: past },
      remove: () => createSessionStore(collections).removeExpired(new Date()),
    },
    'all sessions of a person': {
      of: 'sessions',
      document: { userId, expiresAt: new Date(Date.now() + 3_600_000) },
      remove: () => createSessionStore(collections).endOthers(userId, undefined),
    },
    'counts of failed sign-ins': {
      of: 'signInLimits',
      document: { points: 1, expire: past },
      remove: () => createSignInThrottle(collections).removeExpired(new Date()),
    },
    'idle rate buckets': {
      of: 'rateBuckets',
      document: { at: past },
      remove: () => createRateBuckets(collections).removeIdle(new Date()),
    },
    'stopped workers': {
      of: 'workers',
      document: { seenAt: past },
      remove: () => createWorkerStore(collections).removeOld(),
    },
  };
  for (const [what, { of, document, remove }] of Object.entries(REMOVALS))
    it(`are removed in batches: ${what}`, async () => {
      const collection = client.db().collection<{ _id: string }>(collections[of].collectionName);
      const ids = Array.from({ length: DOCUMENTS }, randomId);
      await collection.insertMany(ids.map((_id) => ({ _id, key: _id, ...document })));
      await remove();
      expect(await collection.countDocuments({ _id: { $in: ids } })).to.equal(0);
      expect(removed.reduce((sum, n) => sum + n, 0)).to.be.at.least(DOCUMENTS);
      expect(Math.max(...removed)).to.be.at.most(MAX);
    });
});
