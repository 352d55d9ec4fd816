import { expect } from 'chai';
import { TargetNotFoundError, TooManyError, UnavailableError } from '#src/domain/errors.js';
import { createCredentialThrottle, type CredentialThrottle } from '#src/services/limits/credential-throttle.js';

const ADDRESS = '192.0.2.1';

describe('credential throttle', () => {
  let throttle: CredentialThrottle;
  const bad = async (): Promise<never> => {
    throw new TargetNotFoundError();
  };
  const errorOf = (promise: Promise<unknown>) =>
    promise.then(
      () => expect.fail('was let in'),
      (error: unknown) => error,
    );
  const refused = (credential: string, address = ADDRESS) => errorOf(throttle.run({ address, credential }, bad));
  const useUp = async (address = ADDRESS) => {
    for (let n = 0; n < 3; n++) expect(await refused(`bad ${n}`, address)).to.be.instanceOf(TargetNotFoundError);
  };

  const ON_RECORD = ['new here', 'another', 'on another server', 'revoked'];
  let lookedUp: string[];
  const isKnown = async (credential: string) => {
    lookedUp.push(credential);
    return ON_RECORD.includes(credential);
  };
  beforeEach(() => {
    lookedUp = [];
    throttle = createCredentialThrottle({ refusalsPerMinute: 3, delayMs: 300, isKnown });
  });
  afterEach(() => throttle.stop());

  it('passes on rejections up to the limit, then returns late 429s with Retry-After', async () => {
    await useUp();
    const began = performance.now();
    const error = (await refused('bad')) as TooManyError;
    expect(error).to.be.instanceOf(TooManyError);
    expect(performance.now() - began).to.be.within(290, 1000);
    expect(error.retryAfterSeconds).to.be.within(50, 60);
    expect(error.limit).to.deep.include({ limit: 3, remaining: 0 });
    expect(error.hangUp).to.equal(false);
  });

  it('accepts valid credentials without delay, cached or not', async () => {
    await useUp();
    const began = performance.now();
    for (const credential of ['new here', 'new here', 'another'])
      expect(await throttle.run({ address: ADDRESS, credential }, async () => 1)).to.equal(1);
    expect(performance.now() - began).to.be.lessThan(200);
  });

  it('counts per address, and per /64 network for IPv6', async () => {
    await useUp();
    expect(await refused('bad', '192.0.2.2')).to.be.instanceOf(TargetNotFoundError);
    await useUp('2001:db8:0:1::1');
    expect(await refused('bad', '2001:db8::1:5:6:7:8')).to.be.instanceOf(TooManyError);
    expect(await refused('bad', '2001:db8:0:2::1')).to.be.instanceOf(TargetNotFoundError);
  });

  it('checks no unknown credentials during a flood, and a valid one at once', async () => {
    await useUp();
    let checked = 0;
    const floods = Array.from({ length: 400 }, (_, n) =>
      errorOf(
        throttle.run({ address: ADDRESS, credential: `bad ${n}` }, async () => {
          checked++;
          throw new TargetNotFoundError();
        }),
      ),
    );
    const good = throttle.run({ address: ADDRESS, credential: 'on another server' }, async () => 'in');
    expect(await Promise.race([good, ...floods])).to.equal('in');
    for (const error of await Promise.all(floods)) expect(error).to.be.instanceOf(TooManyError);
    expect(checked).to.equal(0);
  });

  it('looks up a valid credential once', async () => {
    await useUp();
    for (let n = 0; n < 3; n++) await throttle.run({ address: ADDRESS, credential: 'new here' }, async () => 1);
    expect(lookedUp.filter((credential) => credential === 'new here')).to.have.length(1);
  });

  it('delays the rejection of a known credential without access', async () => {
    await useUp();
    expect(await refused('revoked')).to.be.instanceOf(TooManyError);
  });

  it('closes connections when too many rejections are delayed', async () => {
    await useUp();
    const floods = Array.from({ length: 600 }, (_, n) => refused(`bad ${n}`));
    const first = (await Promise.race(floods)) as TooManyError;
    expect(first.hangUp).to.equal(true);
    const all = (await Promise.all(floods)) as TooManyError[];
    expect(all.filter(({ hangUp }) => hangUp)).to.have.length(100);
  });

  it('does not count other errors', async () => {
    for (let n = 0; n < 5; n++) {
      const trouble = throttle.run({ address: ADDRESS, credential: 'x' }, async () => {
        throw new UnavailableError('away', 1);
      });
      expect(await errorOf(trouble)).to.be.instanceOf(UnavailableError);
    }
    expect(await refused('bad')).to.be.instanceOf(TargetNotFoundError);
  });

  it('sends delayed rejections when the server stops', async () => {
    const slow = createCredentialThrottle({ refusalsPerMinute: 1, delayMs: 60_000, isKnown });
    await errorOf(slow.run({ address: ADDRESS, credential: 'x' }, bad));
    const held = errorOf(slow.run({ address: ADDRESS, credential: 'x' }, bad));
    slow.stop();
    expect(await held).to.be.instanceOf(TooManyError);
  });
});
