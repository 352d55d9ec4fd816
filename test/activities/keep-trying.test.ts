import { mock } from 'node:test';
import { expect } from 'chai';
import { keepTrying } from '#activities/keep-trying.js';
import { activityEnvironment } from './activity-environment.js';

describe('keepTrying', () => {
  afterEach(() => mock.timers.reset());

  /** Inside an activity, so that it warns in the activity's log. */
  const inActivity = <T>(act: () => Promise<T>) => activityEnvironment().run(act) as Promise<T>;

  it('returns immediately when the write succeeds', async () => {
    let tries = 0;
    expect(await inActivity(() => keepTrying(async () => ++tries, undefined))).to.equal(1);
  });

  it('retries with increasing delays until it succeeds', async () => {
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

  it('does not wait forever for a hanging write', async () => {
    let tries = 0;
    const write = () => (++tries === 1 ? new Promise<string>(() => {}) : Promise.resolve('written'));
    expect(await inActivity(() => keepTrying(write, undefined, { tryMs: 50 }))).to.equal('written');
  });

  it('retries while the database is unavailable, and gives up when it rejects writes for ten minutes', async () => {
    for (const [name, expected] of [
      ['MongoNetworkError', 'written'],
      ['MongoServerError', 'refused'],
    ] as const) {
      const began = performance.now();
      let minutes = 0;
      const clock = mock.method(performance, 'now', () => began + minutes * 60_000);
      const ended = await inActivity(() =>
        keepTrying(async () => {
          minutes += 50;
          if (minutes > 100) return 'written';
          throw Object.assign(new Error('refused'), { name });
        }, undefined),
      ).catch((error: Error) => error.message);
      clock.mock.restore();
      expect(ended).to.equal(expected);
    }
  });

  it('gives up when its time is up', async () => {
    const write = () => Promise.reject(new Error('away'));
    const error = await inActivity(() => keepTrying(write, undefined, { giveUpMs: 1 })).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).to.include({ message: 'away' });
  });

  it('does not wait long for a write in progress when it is stopped', async () => {
    const stop = new AbortController();
    const tried = inActivity(() => keepTrying(() => new Promise(() => {}), stop.signal)).catch(
      (thrown: unknown) => thrown,
    );
    stop.abort();
    expect(await tried).to.match(/was canceled/);
  });

  it('stops between two tries', async () => {
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
