import { expect } from 'chai';
import { repeat } from '#src/lib/repeat.js';
import { eventually } from '#test/support/eventually.js';
import { gate } from '#test/support/gate.js';

describe('repeat', () => {
  it('starts immediately, and again after the end of each call', async () => {
    let running = 0;
    let calls = 0;
    let maximum = 0;
    const { open, opened } = gate();
    const work = async () => {
      calls++;
      maximum = Math.max(maximum, ++running);
      await opened;
      running--;
    };
    const repeated = repeat(work, { everyMs: 1 });
    expect(calls).to.equal(1);
    open();
    await eventually(() => calls > 3 || undefined);
    await repeated.stop();
    expect(maximum).to.equal(1);
  });

  it('waits for the returned time, and after a failure for the retry time', async () => {
    const reported: string[] = [];
    let calls = 0;
    const work = async () => {
      if (++calls === 1) throw new Error('failed');
      return calls === 2 ? 1 : 3_600_000;
    };
    const outage = {
      failed: (error: unknown) => void reported.push((error as Error).message),
      succeeded: () => void reported.push('succeeded'),
    };
    const repeated = repeat(work, { everyMs: 3_600_000, retryMs: 1, outage });
    await eventually(() => reported.length === 3 || undefined);
    await repeated.stop();
    expect(reported).to.deep.equal(['failed', 'succeeded', 'succeeded']);
  });

  it('stops after the call in progress has ended, and signals it', async () => {
    const { open, opened } = gate();
    const seen: unknown[] = [];
    const work = async (isStopping: () => boolean) => {
      await opened;
      seen.push(isStopping());
      throw new Error('not reported after stop');
    };
    const outage = { failed: (error: unknown) => void seen.push(error), succeeded: () => {} };
    const stopped = repeat(work, { everyMs: 1, outage }).stop();
    open();
    await stopped;
    expect(seen).to.deep.equal([true]);
  });
});
