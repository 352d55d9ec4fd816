import { expect } from 'chai';
import { retry } from '#src/lib/retry.js';

describe('retry', () => {
  it('retries until it succeeds, with a backoff that doubles up to the maximum', async () => {
    const at: number[] = [];
    const failures: unknown[] = [];
    const attempt = async () => {
      at.push(performance.now());
      if (at.length < 5) throw new TypeError(`no ${at.length}`);
      return 'done';
    };
    const onFailure = (error: unknown) => void failures.push((error as Error).message);
    expect(await retry(attempt, { firstMs: 100, longestMs: 200, onFailure })).to.equal('done');
    expect(failures).to.deep.equal(['no 1', 'no 2', 'no 3', 'no 4']);
    const pauses = at.slice(1).map((moment, index) => moment - at[index]!);
    // A timer may fire a millisecond early.
    [100, 200, 200, 200].forEach((ms, index) => expect(pauses[index]).to.be.greaterThan(ms - 2));
    // The fourth backoff would be 800 ms without a maximum.
    expect(pauses[3]).to.be.lessThan(750);
  });

  it('throws the error of onFailure', async () => {
    const onFailure = () => {
      throw new Error('given up');
    };
    const error = await retry(() => Promise.reject(new Error('away')), { firstMs: 60_000, onFailure }).catch(
      (thrown: Error) => thrown,
    );
    expect(error).to.include({ message: 'given up' });
  });

  it('makes a last attempt when the signal ends the backoff, and throws its error', async () => {
    const stop = new AbortController();
    let tries = 0;
    const attempt = () => {
      if (++tries === 1) setImmediate(() => stop.abort());
      return Promise.reject(new Error(`away ${tries}`));
    };
    const error = await retry(attempt, { firstMs: 60_000, signal: stop.signal }).catch((thrown: Error) => thrown);
    expect(error).to.include({ message: 'away 2' });
  });
});
