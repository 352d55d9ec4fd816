import { expect } from 'chai';
import { passwordProblem } from '#src/domain/people/password.js';
import { UnavailableError } from '#src/domain/errors.js';
import { createPasswordHasher } from '#src/services/people/password-hasher.js';

describe('password hasher', () => {
  const hasher = createPasswordHasher();

  it('hashes with scrypt and a random salt, after Unicode normalization', async () => {
    const hashes = await Promise.all([hasher.hash('pässword of Åse'), hasher.hash('pässword of Åse')]);
    for (const hash of hashes) expect(hash).to.match(/^scrypt\$131072\$8\$1\$[\w-]{22}\$[\w-]{43}$/);
    expect(hashes[0]).not.to.equal(hashes[1]);
    expect(await hasher.verify('pässword of Åse'.normalize('NFD'), hashes[0])).to.equal(true);
    expect(await hasher.verify('password of Åse', hashes[0])).to.equal(false);
  });

  it('takes equally long without an account', async () => {
    const stored = await hasher.hash('a long password');
    const took = async (hash: string | undefined) => {
      const began = process.cpuUsage();
      expect(await hasher.verify('another password', hash)).to.equal(false);
      const { user, system } = process.cpuUsage(began);
      return user + system;
    };
    const [known, unknown] = [await took(stored), await took(undefined)];
    expect(unknown / known).to.be.within(0.3, 3);
  });

  it('queues calls, up to ten', async () => {
    const all = await Promise.allSettled(Array.from({ length: 12 }, () => hasher.verify('x', undefined)));
    const refused = all.filter((one) => one.status === 'rejected');
    expect(refused).to.have.length(2);
    for (const { reason } of refused) expect(reason).to.be.instanceOf(UnavailableError);
    expect(await hasher.verify('x', undefined), 'slots are released').to.equal(false);
  });

  it('requires a suitable length, and not the email', () => {
    const fits = (password: string) => passwordProblem(password, 'ada@example.test') === undefined;
    expect(['a'.repeat(11), 'a'.repeat(201), 'Ada@Example.test', '👩'.repeat(11)].map(fits)).to.deep.equal([
      false,
      false,
      false,
      false,
    ]);
    expect(['a'.repeat(12), 'a'.repeat(200), '👩'.repeat(12)].map(fits)).to.deep.equal([true, true, true]);
  });
}).timeout(60_000);
