import { expect } from 'chai';
import { createFairQueue } from '#activities/runners/http/fair-queue.js';

const never = new AbortController().signal;

/** Work that ends on request. */
function held() {
  let end = () => {};
  const ended = new Promise<void>((resolve) => (end = resolve));
  return { work: () => ended, end };
}

describe('createFairQueue', () => {
  it('gives an owner one slot at most, and the others the rest', async () => {
    const queue = createFairQueue(2);
    const [first, second] = [held(), held()];
    const begun: string[] = [];
    const noting = (name: string, work: () => Promise<void>) => () => (begun.push(name), work());
    const all = [queue.run('a', never, noting('a1', first.work)), queue.run('a', never, noting('a2', second.work))];
    await queue.run('b', never, async () => void begun.push('b1'));
    await queue.run('c', never, async () => void begun.push('c1'));
    expect(begun).to.deep.equal(['a1', 'b1', 'c1']);
    first.end();
    second.end();
    await Promise.all(all);
    expect(begun).to.deep.equal(['a1', 'b1', 'c1', 'a2']);
  });

  it('takes turns by owner, however much each has queued', async () => {
    const queue = createFairQueue(1);
    const order: string[] = [];
    const take = (name: string) => queue.run(name[0]!, never, async () => void order.push(name));
    await Promise.all(['a1', 'a2', 'a3', 'b1', 'c1', 'b2'].map(take));
    expect(order).to.deep.equal(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });

  it('removes waiting work that is aborted, and continues after failed work', async () => {
    const queue = createFairQueue(1);
    const first = held();
    const running = queue.run('a', never, first.work);
    const stop = new AbortController();
    const stopped = queue.run('b', stop.signal, async () => 'ran').catch((error: Error) => error.message);
    const failing = queue
      .run('c', never, () => Promise.reject(new Error('broken')))
      .catch((error: Error) => error.message);
    stop.abort(new Error('stopped'));
    expect(await stopped).to.equal('stopped');
    first.end();
    await running;
    expect(await failing).to.equal('broken');
    expect(await queue.run('b', never, async () => 'ran')).to.equal('ran');
    const late = await queue.run('b', stop.signal, async () => 'ran').catch((error: Error) => error.message);
    expect(late).to.equal('stopped');
  });
});
