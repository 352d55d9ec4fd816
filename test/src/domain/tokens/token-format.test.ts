import { expect } from 'chai';
import { hashOfToken, looksLikeToken, newToken } from '#src/domain/tokens/token-format.js';

describe('token', () => {
  it('has a prefix, 43 characters of secret and 6 of checksum', () => {
    for (let round = 0; round < 200; round++) {
      const token = newToken('webhook');
      expect(token).to.match(/^rhwh_[0-9A-Za-z]{49}$/);
      expect(looksLikeToken('webhook', token)).to.equal(true);
    }
  });

  it('is different each time', () => {
    expect(new Set(Array.from({ length: 1000 }, () => newToken('webhook')))).to.have.property('size', 1000);
  });

  it('is distinguished from similar text', () => {
    const token = newToken('webhook');
    const last = token.at(-1) === 'x' ? 'y' : 'x';
    for (const other of [token.slice(0, -1) + last, `${token}0`, token.slice(1), token.toUpperCase(), '', 'rhwh_'])
      expect(looksLikeToken('webhook', other), other).to.equal(false);
  });

  it('is stored as its SHA-256', () => {
    expect(hashOfToken('abc')).to.equal('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});
