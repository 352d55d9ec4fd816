import { expect } from 'chai';
import { artifactName, freeName } from '#src/domain/runs/artifact.js';

describe('names of artifacts', () => {
  for (const [name, kept] of [
    ['a/b.png', 'a/b.png'],
    ['./a//b', 'a/b'],
    ['a\u0000b\n\u202ec\\d', 'a_b__c_d'],
    [' - ', ' - '],
    ['...', '...'],
    ['ä'.repeat(127), 'ä'.repeat(127)],
  ] as const)
    it(`keep ${JSON.stringify(name).slice(0, 30)}`, () => expect(artifactName(name)).to.equal(kept));

  for (const name of ['', '/', '.', '/a', '..', 'a/..', '../a', 'a/../../b', 'ä'.repeat(128), 'a/'.repeat(501)])
    it(`reject ${JSON.stringify(name).slice(0, 30)}`, () => expect(artifactName(name)).to.equal(undefined));

  it('get a number before their extension if they are taken', () => {
    const taken = new Set(['a.tar.gz', 'b', '.env', '.env (2)', 'c.d/e']);
    const free = (name: string) => freeName(name, (one) => taken.has(one));
    expect(['a.tar.gz', 'b', '.env', 'c.d/e', 'f'].map(free)).to.deep.equal([
      'a.tar (2).gz',
      'b (2)',
      '.env (3)',
      'c.d/e (2)',
      'f',
    ]);
  });
});
