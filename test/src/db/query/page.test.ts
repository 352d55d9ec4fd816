import { expect } from 'chai';
import type { Collection } from 'mongodb';
import { readPage, type PageQuery } from '#src/db/query/page.js';
import { InvalidInputError } from '#src/domain/errors.js';
import { DATABASE_TIMEOUT_MS, testDatabase } from '#test/support/database.js';

interface Entry {
  _id: string;
  list: string;
  at: Date;
}

const SORT: PageQuery<Entry>['sort'] = [
  { field: 'at', order: -1, type: 'date' },
  { field: '_id', order: 1, type: 'text' },
];

describe('readPage', () => {
  let entries: Collection<Entry>;
  const page = (list: string, limit: number, cursor?: string) =>
    readPage(entries, { filter: { list }, sort: SORT }, { limit, cursor });
  const ids = ({ items }: { items: Entry[] }) => items.map(({ _id }) => _id).join('');

  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    entries = (await testDatabase()).db.collection<Entry>('page_test');
    // Newest first, and by id where the time is the same: g, a, b, c, d, e, f.
    const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds));
    const times = { a: 2, b: 2, c: 2, d: 1, e: 1, f: 0, g: 3 };
    await entries.insertMany(Object.entries(times).map(([_id, second]) => ({ _id, list: 'letters', at: at(second) })));
  });

  it('pages forward and back through a list with equal sort values', async () => {
    const first = await page('letters', 3);
    expect([ids(first), first.count, first.previous]).to.eql(['gab', 7, undefined]);
    const second = await page('letters', 3, first.next);
    expect(ids(second)).to.equal('cde');
    const third = await page('letters', 3, second.next);
    expect([ids(third), third.next]).to.eql(['f', undefined]);
    const back = await page('letters', 3, third.previous);
    expect(ids(back)).to.equal('cde');
    const start = await page('letters', 3, back.previous);
    expect([ids(start), start.previous]).to.eql(['gab', undefined]);
    expect(ids(await page('letters', 3, start.next))).to.equal('cde');
  });

  it('has no next or previous page when all entries fit, or when there are none', async () => {
    const all = await page('letters', 7);
    expect([all.next, all.previous]).to.eql([undefined, undefined]);
    expect(await page('nothing', 7)).to.deep.include({ count: 0, items: [] });
  });

  it('neither repeats nor skips entries while others are added and removed', async () => {
    const at = new Date(0);
    await entries.insertMany(['1', '2', '3', '4'].map((_id) => ({ _id, list: 'moving', at })));
    const first = await page('moving', 2);
    await entries.deleteOne({ _id: '2' });
    await entries.insertOne({ _id: '0', list: 'moving', at });
    expect(ids(await page('moving', 2, first.next))).to.equal('34');
  });

  for (const [what, read] of Object.entries({
    'an operator': [0, { $ne: 1 }, 'a'],
    'too few values': [0, 1],
    'another type': [0, 'a', 'a'],
    'an invalid time': [0, 1e300, 'a'],
    'an object': { $where: '1' },
    null: [null, 1, 'a'],
  }))
    it(`rejects a cursor with ${what}`, async () => {
      const cursor = Buffer.from(JSON.stringify(read)).toString('base64url');
      const error = await page('letters', 3, cursor).catch((reason: unknown) => reason);
      expect(error).to.be.instanceOf(InvalidInputError);
      expect((error as InvalidInputError).fields[0]?.field).to.equal('cursor');
    });

  it('rejects text that is not a cursor', async () => {
    expect(await page('letters', 3, 'zzzz').catch((reason: unknown) => reason)).to.be.instanceOf(InvalidInputError);
  });
});
