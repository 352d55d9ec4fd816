import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { open, seal, SecretBoxError } from '#src/domain/variables/secret-box.js';

const SECRET = 'rhwh_a secret, with ü';

describe('secret box', () => {
  const [older, newer] = [randomBytes(32), randomBytes(32)];

  it('decrypts what it encrypted', () => {
    expect(open([older], seal([older], SECRET))).to.equal(SECRET);
    expect(open([older], seal([older], ''))).to.equal('');
  });

  it('encrypts with the first key and decrypts with any, for key rotation', () => {
    const before = seal([older], SECRET);
    const after = seal([newer, older], SECRET);
    expect(open([newer, older], before)).to.equal(SECRET);
    expect(open([newer], after)).to.equal(SECRET);
  });

  it('never returns the same text twice, nor the secret', () => {
    const [one, two] = [seal([older], SECRET), seal([older], SECRET)];
    expect(one).not.to.equal(two);
    expect(one).not.to.include('rhwh_');
    expect(one).not.to.include(older.toString('hex').slice(0, 16));
  });

  it('reports the missing key and the fix', () => {
    const sealed = seal([older], SECRET);
    expect(() => open([newer], sealed)).to.throw(SecretBoxError, /RUNHOOK_SECRET_KEYS/);
    expect(() => open([], sealed)).to.throw(SecretBoxError, sealed.split('.')[1]!);
    expect(() => seal([], SECRET)).to.throw(SecretBoxError, /RUNHOOK_SECRET_KEYS/);
  });

  it('rejects a modified text', () => {
    const parts = seal([older], SECRET).split('.');
    const flip = (text: string) => (text.startsWith('A') ? 'B' : 'A') + text.slice(1);
    for (const index of [2, 3]) {
      const changed = parts.with(index, flip(parts[index]!)).join('.');
      expect(() => open([older], changed))
        .to.throw(SecretBoxError, 'was modified')
        .and.not.match(/rhwh/);
    }
    expect(() => open([older], [...parts.slice(0, 3), parts[3]!.slice(0, 10)].join('.'))).to.throw(SecretBoxError);
    for (const malformed of ['', 'v1', 'v2.a.b.c', `${parts.join('.')}.x`, 'v1.a.b.'])
      expect(() => open([older], malformed)).to.throw(SecretBoxError);
  });
});
