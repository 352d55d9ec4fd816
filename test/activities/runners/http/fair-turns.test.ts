import { expect } from 'chai';
import { createFairTurns } from '#activities/runners/http/fair-turns.js';

const never = new AbortController().signal;

/** Work that ends when it is told to. */
function held() {
  let end = () => {};
  const ended = new Promise<void>((resolve) => (end = resolve));
  return { work: () => ended, end };
}

describe('fair turns', () => {
  it('let one owner have one place only, and the others the rest', async () => {
    const turns = createFairTurns(2);
    const [first, second] = [held(), held()];
    const begun: string[] = [];
    const noting = (name: string, work: () => Promise<void>) => () => (begun.push(name), work());
    const all = [turns.take('a', never, noting('a1', first.work)), turns.take('a', never, noting('a2', second.work))];
    await turns.take('b', never, async () => void begun.push('b1'));
    await turns.take('c', never, async () => void begun.push('c1'));
    expect(begun).to.deep.equal(['a1', 'b1', 'c1']);
    first.end();
    second.end();
    await Promise.all(all);
    expect(begun).to.deep.equal(['a1', 'b1', 'c1', 'a2']);
  });

  it('go round by owner, whoever has asked for more', async () => {
    const turns = createFairTurns(1);
    const order: string[] = [];
    const take = (name: string) => turns.take(name[0]!, never, async () => void order.push(name));
    await Promise.all(['a1', 'a2', 'a3', 'b1', 'c1', 'b2'].map(take));
    expect(order).to.deep.equal(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });

  it('are left by who is stopped while waiting, and go on after work that fails', async () => {
    const turns = createFairTurns(1);
    const first = held();
    const running = turns.take('a', never, first.work);
    const stop = new AbortController();
    const stopped = turns.take('b', stop.signal, async () => 'ran').catch((error: Error) => error.message);
    const failing = turns
      .take('c', never, () => Promise.reject(new Error('broken')))
      .catch((error: Error) => error.message);
    stop.abort(new Error('stopped'));
    expect(await stopped).to.equal('stopped');
    first.end();
    await running;
    expect(await failing).to.equal('broken');
    expect(await turns.take('b', never, async () => 'ran')).to.equal('ran');
    const late = await turns.take('b', stop.signal, async () => 'ran').catch((error: Error) => error.message);
    expect(late).to.equal('stopped');
  });
});
