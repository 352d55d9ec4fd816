import { expect } from 'chai';
import { createDatabaseClock, databaseTime, type DatabaseClock } from '#src/db/connection/database-clock.js';
import { collectionsOf } from '#src/db/schema/collections.js';
import { missingIndexes, setUpDatabase } from '#src/db/schema/set-up.js';
import { randomId } from '#src/domain/ids.js';
import { createReadinessCheck } from '#src/services/instance/check-readiness.js';
import { WrongTemporalError } from '#src/temporal/identity.js';
import { DATABASE_TIMEOUT_MS, testDatabase } from '#test/support/database.js';

/** A fake database with a configurable response. */
const answering = (read: () => Promise<void>) => ({ read });

describe('readiness', () => {
  let clock: DatabaseClock;
  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    const { db } = await testDatabase();
    clock = createDatabaseClock(() => databaseTime(db));
  });

  const check = (some: Partial<Parameters<typeof createReadinessCheck>[0]> = {}) =>
    createReadinessCheck({
      clock,
      refusal: () => undefined,
      missingIndexes: async () => [],
      isDraining: () => false,
      engineDownSince: () => undefined,
      isTemporalServing: async () => true,
      checkBinding: async () => {},
      ...some,
    })();

  it('is ready when both stores respond', async () => {
    expect(await check()).to.deep.equal({
      status: 'ready',
      draining: false,
      dependencies: { mongodb: { status: 'up' }, temporal: { status: 'up' } },
    });
  });

  it('is ready without Temporal, which is degraded since its failure', async () => {
    const since = new Date();
    const { status, dependencies } = await check({
      isTemporalServing: async () => false,
      engineDownSince: () => since,
    });
    expect(status).to.equal('ready');
    expect(dependencies.mongodb.status).to.equal('up');
    expect(dependencies.temporal).to.include({ status: 'degraded', since: since.toISOString() });
    expect(dependencies.temporal.message).to.contain('accepted');
    const unnoticed = await check({ isTemporalServing: async () => false });
    expect(unnoticed.dependencies.temporal.since).to.equal(undefined);
  });

  it('is not ready without MongoDB, which is listed with its error', async () => {
    const unavailable = answering(() => Promise.reject(new Error('connection refused')));
    const { status, dependencies } = await check({ clock: unavailable });
    expect(status).to.equal('not ready');
    expect(dependencies.mongodb.status).to.equal('down');
    expect(dependencies.mongodb.message).to.contain('connection refused').and.to.contain('503');
    expect(dependencies.temporal).to.deep.equal({ status: 'up' });
  });

  it('requires the clock of MongoDB', async () => {
    const { db } = await testDatabase();
    const unread = createDatabaseClock(() => databaseTime(db));
    expect(() => unread.now()).to.throw();
    expect(await check({ clock: unread })).to.include({ status: 'ready' });
    expect(unread.now()).to.be.a('date');
  });

  it('is not ready when the connection string was rejected; shows the reason without a query', async () => {
    const { status, dependencies } = await check({
      refusal: () => 'MONGODB_URL has w=1',
      clock: answering(() => new Promise(() => {})),
    });
    expect(status).to.equal('not ready');
    expect(dependencies.mongodb).to.deep.equal({ status: 'down', message: 'MONGODB_URL has w=1' });
  });

  it('is not ready while an index is missing, which is listed with the command that builds it', async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    const { db } = await testDatabase();
    const collections = collectionsOf(db.client.db(`readiness_${randomId()}`));
    try {
      await setUpDatabase(collections);
      await collections.runs.dropIndex('pending_starts');
      const missing = () => missingIndexes(collections);
      const { status, dependencies } = await check({ missingIndexes: missing });
      expect(status).to.equal('not ready');
      expect(dependencies.mongodb).to.deep.equal({
        status: 'down',
        message: 'Indexes are missing: runs.pending_starts. Run `runhook setup`.',
      });
      await setUpDatabase(collections);
      expect((await check({ missingIndexes: missing })).status).to.equal('ready');
    } finally {
      await db.client.db(collections.runs.dbName).dropDatabase();
    }
  });

  it('responds within 2 s when MongoDB is frozen', async () => {
    const began = performance.now();
    const { status, dependencies } = await check({ clock: answering(() => new Promise(() => {})) });
    expect(performance.now() - began).to.be.lessThan(2000);
    expect(status).to.equal('not ready');
    expect(dependencies.mongodb).to.have.property('status', 'down');
  });

  it('is not ready with a Temporal that the database is not bound to; shows the remedy', async () => {
    const refusal = new WrongTemporalError('bound to another one: runhook setup --rebind-temporal');
    const { status, dependencies } = await check({ checkBinding: () => Promise.reject(refusal) });
    expect(status).to.equal('not ready');
    expect(dependencies.temporal).to.deep.equal({ status: 'down', message: refusal.message });
    const unknown = await check({ checkBinding: () => Promise.reject(new Error('no answer')) });
    expect(unknown).to.include({ status: 'ready' });
  });

  it('is not ready while the server drains', async () => {
    expect(await check({ isDraining: () => true })).to.include({ status: 'not ready', draining: true });
  });
});
