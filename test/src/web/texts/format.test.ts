import { expect } from 'chai';
import { formatBytes, formatCommand, formatDuration, formatRate } from '#src/web/texts/format.js';

describe('format', () => {
  it('rounds no rate up to 100%', () => {
    expect([1, 0.999, 0.5, 0].map(formatRate)).to.eql(['100 %', '99 %', '50 %', '0 %']);
  });

  const cases: [ms: number, text: string][] = [
    [-5, '0 ms'],
    [44, '44 ms'],
    [2440, '2.4 s'],
    [9949, '9.9 s'],
    [9960, '10 s'],
    [59_400, '59 s'],
    [60_000, '1 min'],
    [200_000, '3 min 20 s'],
    [7_200_000, '2 h'],
    [7_500_000, '2 h 5 min'],
  ];
  for (const [ms, text] of cases) {
    it(`formats ${ms} ms as ${text}`, () => {
      expect(formatDuration(new Date(0), new Date(ms))).to.equal(text);
    });
  }

  it('quotes arguments for a shell', () => {
    expect(formatCommand(['sh', '-c', "echo 'a b'"])).to.equal(`sh -c 'echo '\\''a b'\\'''`);
    expect(formatCommand(['node', ''])).to.equal(`node ''`);
  });

  it('formats a size', () => {
    expect([0, 1, 999, 1000, 1_440_000, 5e15].map(formatBytes)).to.deep.equal([
      '0 bytes',
      '1 byte',
      '999 bytes',
      '1.0 kB',
      '1.4 MB',
      '5000.0 TB',
    ]);
  });
});
