import { expect } from 'chai';
import { createFairQueue } from '#src/services/trigger/fair-queue.js';

describe('fair queue', () => {
  const all = (queue: ReturnType<typeof createFairQueue<string>>) => {
    const items = [];
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) items.push(item);
    return items;
  };

  it('alternates between projects and keeps the order within each', () => {
    const queue = createFairQueue<string>();
    for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) queue.push(item[0]!, item);
    expect([queue.size, queue.sizeOf('b'), queue.sizeOf('d')]).to.deep.equal([6, 2, 0]);
    expect(all(queue)).to.deep.equal(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
    expect(queue.size).to.equal(0);
  });

  it('returns a single run of another project next, before a backlog', () => {
    const queue = createFairQueue<string>();
    for (let n = 0; n < 1000; n++) queue.push('flood', `flood ${n}`);
    queue.shift();
    queue.push('other', 'single');
    expect([queue.shift(), queue.shift()]).to.include('single');
  });

  it('drains all items', () => {
    const queue = createFairQueue<string>();
    queue.push('a', 'a1');
    queue.push('b', 'b1');
    expect(queue.drain()).to.have.members(['a1', 'b1']);
    expect(queue.size).to.equal(0);
    expect(queue.shift()).to.equal(undefined);
  });
});
