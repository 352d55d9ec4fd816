import { expect } from 'chai';
import { createFairQueue } from '#activities/runners/http/fair-queue.js';

const never = new AbortController().signal;

/** Work that ends when it is told to. */
function held() {
  let end = () => {};
  const ended = new Promise<void>((resolve) => (end = resolve));
  return { work: () => ended, end };
}

describe('createFairQueue', () => {
  it('let one owner have one place only, and the others the rest', async () => {
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

  it('go round by owner, whoever has asked for more', async () => {
    const queue = createFairQueue(1);
    const order: string[] = [];
    const take = (name: string) => queue.run(name[0]!, never, async () => void order.push(name));
    await Promise.all(['a1', 'a2', 'a3', 'b1', 'c1', 'b2'].map(take));
    expect(order).to.deep.equal(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });

  it('are left by who is stopped while waiting, and go on after work that fails', async () => {
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
