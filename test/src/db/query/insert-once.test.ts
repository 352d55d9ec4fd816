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
  const make = (key: string | undefined, content: Omit<Thing, '_id'>, who = ADMIN) =>
    insertOnce(things, { ...creationOf(who, 'thing', key, content), ...content });

  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    things = (await testDatabase()).db.collection<Thing>('insert_once_test');
  });

  it('makes one document of ten calls at once with the same key', async () => {
    const made = await Promise.all(Array.from({ length: 10 }, () => make('ten', { name: 'ten', size: 1 })));
    expect(made.filter(({ isNew }) => isNew)).to.have.length(1);
    expect(new Set(made.map(({ document }) => document._id)).size).to.equal(1);
    expect(await things.countDocuments({ name: 'ten' })).to.equal(1);
  });

  it('knows the content again, whatever the order of its fields, and after it was changed', async () => {
    const { document } = await make('order', { name: 'a', size: 1 });
    await things.updateOne({ _id: document._id }, { $set: { name: 'b' } });
    expect(await make('order', { size: 1, name: 'a' })).to.deep.include({ isNew: false });
  });

  it('refuses the key with other content', async () => {
    await make('other', { name: 'a' });
    const error = await make('other', { name: 'b' }).catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(IdempotencyConflictError);
  });

  it('makes one each time without a key, and for each caller', async () => {
    const someone = { ...ADMIN, userId: '00000000-0000-4000-8000-00000000000a' };
    await make(undefined, { name: 'each' });
    await make(undefined, { name: 'each' });
    await make('mine', { name: 'each' });
    await make('mine', { name: 'each' }, someone);
    expect(await things.countDocuments({ name: 'each' })).to.equal(4);
  });
});
