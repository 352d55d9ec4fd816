import { expect } from 'chai';
import { watchIndexes } from '#src/services/instance/watch-indexes.js';

describe('watch of missing indexes', () => {
  it('queries the database rarely while none is missing, and soon again while one is', async () => {
    let [looks, now, missing] = [0, 0, ['runs.newest']];
    const watch = watchIndexes(
      async () => {
        looks++;
        return missing;
      },
      () => now,
    );
    expect(await watch()).to.deep.equal(['runs.newest']);
    await watch();
    expect(looks).to.equal(1);
    [now, missing] = [2001, []];
    expect(await watch()).to.deep.equal([]);
    now += 50_000;
    await watch();
    expect(looks).to.equal(2);
    now += 11_000;
    await watch();
    expect(looks).to.equal(3);
  });

  it('does not cache a failure', async () => {
    let isDown = true;
    const watch = watchIndexes(async () => {
      if (isDown) throw new Error('down');
      return [];
    });
    expect(await watch().catch((error: Error) => error.message)).to.equal('down');
    isDown = false;
    expect(await watch()).to.deep.equal([]);
  });
});
