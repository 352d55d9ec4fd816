import { expect } from 'chai';
import { coalesce, ExpiredError } from '#src/db/query/coalesce.js';
import { gate } from '#test/support/gate.js';

describe('coalesce', () => {
  it('sends concurrent keys as one batch and returns each value to its caller', async () => {
    const batches: number[][] = [];
    const double = coalesce(async (keys: number[]) => {
      batches.push(keys);
      return keys.map((key) => 2 * key);
    });
    expect(await Promise.all([double(1), double(2), double(1)])).to.deep.equal([2, 4, 2]);
    expect(batches).to.deep.equal([[1, 2, 1]]);
  });

  it('never adds a key to a batch already sent', async () => {
    const first = gate();
    let value = 'old';
    const read = coalesce(async (keys: string[]) => {
      const seen = value;
      await first.opened;
      return keys.map(() => seen);
    });
    const before = read('a');
    await new Promise(setImmediate);
    value = 'new';
    const after = read('a');
    first.open();
    expect(await before).to.equal('old');
    expect(await after).to.equal('new');
  });

  it('limits the number of concurrent batches, and sends the keys that waited as one batch', async () => {
    const gates = [gate(), gate(), gate()];
    const batches: number[][] = [];
    const one = coalesce(
      async (keys: number[]) => {
        await gates[batches.push(keys) - 1]!.opened;
        return keys;
      },
      { inFlight: 2 },
    );
    const all = [];
    for (const key of [1, 2, 3, 4]) {
      all.push(one(key));
      await new Promise(setImmediate);
    }
    expect(batches).to.deep.equal([[1], [2]]);
    gates[0]!.open();
    await all[0];
    await new Promise(setImmediate);
    expect(batches).to.deep.equal([[1], [2], [3, 4]]);
    gates.forEach(({ open }) => open());
    expect(await Promise.all(all)).to.deep.equal([1, 2, 3, 4]);
  });

  it('splits batches at the maximum size', async () => {
    const sizes: number[] = [];
    const one = coalesce(async (keys: number[]) => (sizes.push(keys.length), keys), { maxBatch: 2 });
    expect(await Promise.all([1, 2, 3, 4, 5].map((key) => one(key)))).to.deep.equal([1, 2, 3, 4, 5]);
    expect(sizes).to.deep.equal([2, 2, 1]);
  });

  it('fails a single key with its own error, and all keys with the error of the batch', async () => {
    const one = coalesce(async (keys: number[]) => {
      if (keys.includes(0)) throw new Error('all');
      return keys.map((key) => (key < 0 ? new Error('own') : key));
    });
    const [good, bad] = await Promise.allSettled([one(1), one(-1)]);
    expect(good).to.deep.include({ status: 'fulfilled', value: 1 });
    expect((bad as PromiseRejectedResult).reason).to.have.property('message', 'own');
    const both = await Promise.allSettled([one(0), one(1)]);
    expect(both.map((each) => (each as PromiseRejectedResult).reason.message)).to.deep.equal(['all', 'all']);
    expect(await one(2)).to.equal(2);
  });

  it('fails a key that expires while it waits, without sending it', async () => {
    const first = gate();
    const batches: string[][] = [];
    const one = coalesce(
      async (keys: string[]) => {
        batches.push(keys);
        await first.opened;
        return keys;
      },
      { inFlight: 1 },
    );
    const sent = one('sent');
    await new Promise(setImmediate);
    const late = one('late', performance.now() - 1);
    const kept = one('kept', performance.now() + 60_000);
    first.open();
    expect(await sent).to.equal('sent');
    const error = await late.catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(ExpiredError);
    expect(await kept).to.equal('kept');
    expect(batches).to.deep.equal([['sent'], ['kept']]);
  });
});
