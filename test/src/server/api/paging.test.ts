import { expect } from 'chai';
import { listAnswer, pageRequestOf } from '#src/server/api/paging.js';

describe('listAnswer', () => {
  const url = new URL('http://internal:4000/api/v2/tests?search=a%26b&limit=2&cursor=old');
  const base = 'https://runs.example.test';

  it('returns absolute URLs with the same filters', () => {
    const answer = listAnswer({ url }, base, { count: 5, items: [1, 2], next: 'n_1', previous: 'p' }, String);
    expect(answer).to.eql({
      count: 5,
      next: `${base}/api/v2/tests/?search=a%26b&limit=2&cursor=n_1`,
      previous: `${base}/api/v2/tests/?search=a%26b&limit=2&cursor=p`,
      results: ['1', '2'],
    });
  });

  it('returns null for a missing page', () => {
    const { next, previous } = listAnswer({ url }, base, { count: 0, items: [] }, String);
    expect([next, previous]).to.eql([null, null]);
  });

  it('takes limit and cursor from a query with other parameters', () => {
    const query = { limit: 2, cursor: 'c', search: 'x' };
    expect(pageRequestOf(query)).to.eql({ limit: 2, cursor: 'c' });
  });
});
