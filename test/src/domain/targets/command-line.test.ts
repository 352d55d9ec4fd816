import { expect } from 'chai';
import { argumentsOf, wordsOf } from '#src/domain/targets/command-line.js';
import { InvalidInputError } from '#src/domain/errors.js';
import { formatCommand } from '#src/web/texts/format.js';

describe('wordsOf', () => {
  const lines: [line: string, words: string[]][] = [
    ['node check.mjs --fast', ['node', 'check.mjs', '--fast']],
    [`sh -c 'first && "second" $HOME'`, ['sh', '-c', 'first && "second" $HOME']],
    ['a "b \\" \\\\ c"d', ['a', 'b " \\ cd']],
    ['a\\ b \\$c', ['a b', '$c']],
    ['a \\\r\n  b\n c', ['a', 'b', 'c']],
    [`x '' ""`, ['x', '', '']],
    ['  ', []],
  ];
  for (const [line, words] of lines)
    it(JSON.stringify(line), () => {
      expect(wordsOf(line)).to.eql(words);
    });

  it('parses the output of formatCommand', () => {
    const command = ['sh', '-c', `echo 'a "b"' $X | tr a\\b *`, '', 'two\nlines', 'é', '~', '#'];
    expect(wordsOf(formatCommand(command))).to.eql(command);
  });

  for (const line of ['a && b', 'a | b', 'a > b', 'echo $HOME', 'echo "$HOME"', 'a `b`', 'ls *.js', 'a; b', 'a &'])
    it(`rejects ${line}, which only a shell interprets`, () => {
      expect(() => wordsOf(line)).to.throw(InvalidInputError, 'does not run in a shell');
    });

  for (const line of [`a 'b`, 'a "b', 'a "b\\"'])
    it(`rejects ${line} with an open quote`, () => {
      expect(() => wordsOf(line)).to.throw(InvalidInputError, 'not closed');
    });
});

describe('argumentsOf', () => {
  it('takes each line literally', () => {
    expect(argumentsOf('sh\r\n-c\r\na && "b"  \r\n\r\n')).to.eql(['sh', '-c', 'a && "b"  ']);
  });
});
