import { expect } from 'chai';
import { envOf, envText } from '#src/domain/variables/env-text.js';
import { InvalidInputError } from '#src/domain/errors.js';

describe('envOf', () => {
  it('reads a .env file', () => {
    const text = `# base\r\nBASE=http://a/?b=c#d\n\nexport TOKEN = x y \nA='# as it is'\nB="two\\nlines"\nC=`;
    expect(envOf(text)).to.eql({
      BASE: 'http://a/?b=c#d',
      TOKEN: 'x y',
      A: '# as it is',
      B: 'two\nlines',
      C: '',
    });
  });

  it('parses the output of envText', () => {
    const env = { A: '', B: ' x ', C: `"q"`, D: `'q'`, E: 'a\r\nb', F: '# no comment', G: 'a=b', H: '\u2028' };
    expect(envOf(envText(env))).to.eql(env);
  });

  for (const text of ['A=1\nnonsense', 'A=1\nA=2', 'X=1\nA="open'])
    it(`reports the line of an error: ${JSON.stringify(text)}`, () => {
      expect(() => envOf(text)).to.throw(InvalidInputError, 'Line 2');
    });
});
