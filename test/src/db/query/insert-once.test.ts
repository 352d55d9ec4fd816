import { expect } from 'chai';
import type { Collection } from 'mongodb';
import { insertOnce } from '#src/db/query/insert-once.js';
import { IdempotencyConflictError } from '#src/domain/errors.js';
import { creationOf, type Creation } from '#src/domain/idempotent-creation.js';
import { ADMIN } from '#test/builders/server-deps.js';
import { DATABASE_TIMEOUT_MS, testDatabase } from '#test/support/database.js';

interface Thing extends Creation {
  name: string;
  size?: number;
}

describe('insertOnce', () => {
  let things: Collection<Thing>;
  const create = (key: string | undefined, content: Omit<Thing, '_id'>, who = ADMIN) =>
    insertOnce(things, { ...creationOf(who, 'thing', key, content), ...content });

  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    things = (await testDatabase()).db.collection<Thing>('insert_once_test');
  });

  it('creates one document for ten concurrent calls with the same key', async () => {
    const created = await Promise.all(Array.from({ length: 10 }, () => create('ten', { name: 'ten', size: 1 })));
    expect(created.filter(({ isNew }) => isNew)).to.have.length(1);
    expect(new Set(created.map(({ document }) => document._id)).size).to.equal(1);
    expect(await things.countDocuments({ name: 'ten' })).to.equal(1);
  });

  it('recognizes a repeat by its content, in any order of fields, and after the document was changed', async () => {
    const { document } = await create('order', { name: 'a', size: 1 });
    await things.updateOne({ _id: document._id }, { $set: { name: 'b' } });
    expect(await create('order', { size: 1, name: 'a' })).to.deep.include({ isNew: false });
  });

  it('rejects the key with different content', async () => {
    await create('other', { name: 'a' });
    const error = await create('other', { name: 'b' }).catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(IdempotencyConflictError);
  });

  it('creates a document for each call without a key, and for each caller', async () => {
    const someone = { ...ADMIN, userId: '00000000-0000-4000-8000-00000000000a' };
    await create(undefined, { name: 'each' });
    await create(undefined, { name: 'each' });
    await create('mine', { name: 'each' });
    await create('mine', { name: 'each' }, someone);
    expect(await things.countDocuments({ name: 'each' })).to.equal(4);
  });
});
