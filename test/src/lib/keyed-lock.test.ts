import { expect } from 'chai';
import { createKeyedLock } from '#src/lib/keyed-lock.js';
import { gate } from '#test/support/gate.js';

const NEVER = new AbortController().signal;

describe('keyed lock', () => {
  it('runs work for the same key sequentially, even after failures, and for others concurrently', async () => {
    const inTurn = createKeyedLock();
    const { open, opened } = gate();
    const done: string[] = [];
    const first = inTurn('a', NEVER, async () => {
      await opened;
      done.push('first');
      throw new Error('failed');
    });
    const second = inTurn('a', NEVER, async () => done.push('second'));
    await inTurn('b', NEVER, async () => done.push('other'));
    open();
    expect(await first.catch((error: Error) => error.message)).to.equal('failed');
    await second;
    expect(done).to.deep.equal(['other', 'first', 'second']);
  });

  it('removes aborted callers, and keeps the order of the others', async () => {
    const inTurn = createKeyedLock();
    const { open, opened } = gate();
    const done: string[] = [];
    const first = inTurn('a', NEVER, async () => {
      await opened;
      done.push('first');
    });
    const leaving = new AbortController();
    const left = inTurn('a', leaving.signal, async () => done.push('left'));
    const last = inTurn('a', NEVER, async () => done.push('last'));
    leaving.abort(new Error('gone'));
    expect(await left.catch((error: Error) => error.message)).to.equal('gone');
    open();
    await Promise.all([first, last]);
    expect(done).to.deep.equal(['first', 'last']);
  });
});
