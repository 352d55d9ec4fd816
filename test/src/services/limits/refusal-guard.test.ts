import { expect } from 'chai';
import { TargetNotFoundError, TooManyError, UnavailableError } from '../../../../src/domain/errors.js';
import { createRefusalGuard, type RefusalGuard } from '../../../../src/services/limits/refusal-guard.js';
import { gate as openGate } from '../../../support/gate.js';

const ADDRESS = '192.0.2.1';

describe('guard of refusals', () => {
  let guard: RefusalGuard;
  const bad = async (): Promise<never> => {
    throw new TargetNotFoundError();
  };
  const errorOf = (promise: Promise<unknown>) =>
    promise.then(
      () => expect.fail('was let in'),
      (error: unknown) => error,
    );
  const refused = (credential: string, address = ADDRESS) => errorOf(guard.run({ address, credential }, bad));
  const useUp = async (address = ADDRESS) => {
    for (let n = 0; n < 3; n++) expect(await refused(`bad ${n}`, address)).to.be.instanceOf(TargetNotFoundError);
  };

  beforeEach(() => (guard = createRefusalGuard({ refusalsPerMinute: 3, delayMs: 300 })));
  afterEach(() => guard.stop());

  it('answers so many refusals as they are, then late ones with a time to come back', async () => {
    await useUp();
    const began = performance.now();
    const error = (await refused('bad')) as TooManyError;
    expect(error).to.be.instanceOf(TooManyError);
    expect(performance.now() - began).to.be.within(290, 1000);
    expect(error.retryAfterSeconds).to.be.within(50, 60);
    expect(error.limit).to.deep.include({ limit: 3, remaining: 0 });
    expect(error.hangUp).to.equal(false);
  });

  it('lets good ones in at once, known or not', async () => {
    await useUp();
    const began = performance.now();
    for (const credential of ['new here', 'new here', 'another'])
      expect(await guard.run({ address: ADDRESS, credential }, async () => 1)).to.equal(1);
    expect(performance.now() - began).to.be.lessThan(200);
  });

  it('leaves other addresses alone, and takes a network of IPv6 for one', async () => {
    await useUp();
    expect(await refused('bad', '192.0.2.2')).to.be.instanceOf(TargetNotFoundError);
    await useUp('2001:db8:0:1::1');
    expect(await refused('bad', '2001:db8::1:5:6:7:8')).to.be.instanceOf(TooManyError);
    expect(await refused('bad', '2001:db8:0:2::1')).to.be.instanceOf(TargetNotFoundError);
  });

  it('checks a few unknown ones at a time, and a known one beside them', async () => {
    await guard.run({ address: ADDRESS, credential: 'known' }, async () => 1);
    await useUp();
    const gate = openGate();
    let inside = 0;
    const floods = Array.from({ length: 20 }, (_, n) =>
      errorOf(
        guard.run({ address: ADDRESS, credential: `bad ${n}` }, async () => {
          inside++;
          await gate.opened;
          throw new TargetNotFoundError();
        }),
      ),
    );
    expect(await guard.run({ address: ADDRESS, credential: 'known' }, async () => 'in')).to.equal('in');
    expect(inside).to.equal(2);
    gate.open();
    await Promise.all(floods);
    expect(inside).to.equal(20);
  });

  it('hangs up on what is too many to wait, without a check', async () => {
    await useUp();
    const gate = openGate();
    let checked = 0;
    const check = async () => {
      checked++;
      await gate.opened;
      throw new TargetNotFoundError();
    };
    const floods = Array.from({ length: 300 }, (_, n) =>
      errorOf(guard.run({ address: ADDRESS, credential: `bad ${n}` }, check)),
    );
    const first = (await Promise.race(floods)) as TooManyError;
    expect(first.hangUp).to.equal(true);
    gate.open();
    await Promise.all(floods);
    expect(checked).to.equal(202);
  });

  it('hangs up on what waits too long for its turn', async () => {
    await useUp();
    const gate = openGate();
    const check = async () => {
      await gate.opened;
      throw new TargetNotFoundError();
    };
    const three = [1, 2, 3].map((n) => errorOf(guard.run({ address: ADDRESS, credential: `bad ${n}` }, check)));
    expect(((await three[2]) as TooManyError).hangUp).to.equal(true);
    gate.open();
    const others = (await Promise.all(three.slice(0, 2))) as TooManyError[];
    expect(others.map(({ hangUp }) => hangUp)).to.deep.equal([false, false]);
    expect(await refused('the lane is free again')).to.include({ hangUp: false });
  });

  it('is not about other errors', async () => {
    for (let n = 0; n < 5; n++) {
      const trouble = guard.run({ address: ADDRESS, credential: 'x' }, async () => {
        throw new UnavailableError('away', 1);
      });
      expect(await errorOf(trouble)).to.be.instanceOf(UnavailableError);
    }
    expect(await refused('bad')).to.be.instanceOf(TargetNotFoundError);
  });

  it('lets go of what it holds back when the server stops', async () => {
    const slow = createRefusalGuard({ refusalsPerMinute: 1, delayMs: 60_000 });
    await errorOf(slow.run({ address: ADDRESS, credential: 'x' }, bad));
    const held = errorOf(slow.run({ address: ADDRESS, credential: 'x' }, bad));
    slow.stop();
    expect(await held).to.be.instanceOf(TooManyError);
  });
});
