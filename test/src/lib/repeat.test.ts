import { expect } from 'chai';
import { repeat } from '#src/lib/repeat.js';
import { eventually } from '#test/support/eventually.js';
import { gate } from '#test/support/gate.js';

describe('repeat', () => {
  it('begins at once, and again after the end of each call', async () => {
    let underWay = 0;
    let calls = 0;
    let most = 0;
    const { open, opened } = gate();
    const work = async () => {
      calls++;
      most = Math.max(most, ++underWay);
      await opened;
      underWay--;
    };
    const repeated = repeat(work, { everyMs: 1 });
    expect(calls).to.equal(1);
    open();
    await eventually(() => calls > 3 || undefined);
    await repeated.stop();
    expect(most).to.equal(1);
  });

  it('waits as long as a call returns, and after a failure as long as is said for that', async () => {
    const heard: string[] = [];
    let calls = 0;
    const work = async () => {
      if (++calls === 1) throw new Error('away');
      return calls === 2 ? 1 : 3_600_000;
    };
    const outage = {
      failed: (error: unknown) => void heard.push((error as Error).message),
      succeeded: () => void heard.push('back'),
    };
    const repeated = repeat(work, { everyMs: 3_600_000, retryMs: 1, outage });
    await eventually(() => heard.length === 3 || undefined);
    await repeated.stop();
    expect(heard).to.deep.equal(['away', 'back', 'back']);
  });

  it('is stopped when the call under way has ended, which is told to', async () => {
    const { open, opened } = gate();
    const seen: unknown[] = [];
    const work = async (isStopping: () => boolean) => {
      await opened;
      seen.push(isStopping());
      throw new Error('nobody hears of it any more');
    };
    const outage = { failed: (error: unknown) => void seen.push(error), succeeded: () => {} };
    const stopped = repeat(work, { everyMs: 1, outage }).stop();
    open();
    await stopped;
    expect(seen).to.deep.equal([true]);
  });
});
