import { mock } from 'node:test';
import { expect } from 'chai';
import { keepTrying } from '../../activities/keep-trying.js';
import { activityEnvironment } from './activity-environment.js';

describe('keepTrying', () => {
  afterEach(() => mock.timers.reset());

  /** Inside an activity: it warns in the activity's log. */
  const inActivity = <T>(act: () => Promise<T>) => activityEnvironment().run(act) as Promise<T>;

  it('answers at once when the write succeeds', async () => {
    let tries = 0;
    expect(await inActivity(() => keepTrying(async () => ++tries, undefined))).to.equal(1);
  });

  it('tries again, with growing waits, until it does', async () => {
    const at: number[] = [];
    const answer = await inActivity(() =>
      keepTrying(async () => {
        at.push(performance.now());
        if (at.length < 3) throw new Error('away');
        return 'written';
      }, undefined),
    );
    expect(answer).to.equal('written');
    expect(at[1]! - at[0]!).to.be.within(190, 390);
    expect(at[2]! - at[1]!).to.be.within(390, 2000);
  });

  it('does not wait for ever for a try that never ends', async () => {
    let tries = 0;
    const write = () => (++tries === 1 ? new Promise<string>(() => {}) : Promise.resolve('written'));
    expect(await inActivity(() => keepTrying(write, undefined, 50))).to.equal('written');
  });

  it('gives up after ten minutes with the last error', async () => {
    mock.timers.enable({ apis: ['Date'], now: Date.now() });
    let tries = 0;
    const error = await inActivity(() =>
      keepTrying(async () => {
        mock.timers.setTime(Date.now() + 10 * 60_000 - (tries++ === 0 ? 1000 : 0));
        throw new Error(`away ${tries}`);
      }, undefined),
    ).catch((thrown: unknown) => thrown);
    expect(error).to.include({ message: 'away 2' });
  });

  it('stops between two tries when it is told to', async () => {
    const stop = new AbortController();
    let tries = 0;
    const error = await inActivity(() =>
      keepTrying(async () => {
        if (++tries === 1) setImmediate(() => stop.abort());
        throw new Error(`away ${tries}`);
      }, stop.signal),
    ).catch((thrown: unknown) => thrown);
    expect(error).to.include({ message: 'away 2' });
  });
});
