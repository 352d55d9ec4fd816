import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { plainText, styledText } from '#src/web/texts/ansi.js';

const ESC = '\x1b';
const only = (printed: string) => {
  const parts = styledText(printed);
  expect(parts).to.have.length(1);
  return parts[0]!;
};

describe('styledText', () => {
  it('renders colors and styles as classes', () => {
    expect(styledText(`a${ESC}[1;31mred${ESC}[0m b`)).to.deep.equal([
      { text: 'a', classes: [] },
      { text: 'red', classes: ['ansi-red', 'ansi-bold'] },
      { text: ' b', classes: [] },
    ]);
    expect(only(`${ESC}[92mx`).classes).to.deep.equal(['ansi-bright-green']);
    expect(only(`${ESC}[30;43mx`).classes).to.deep.equal(['ansi-black', 'ansi-on-yellow']);
  });

  it('maps other colors to the nearest of the 16', () => {
    expect(only(`${ESC}[38;5;196mx`).classes).to.deep.equal(['ansi-bright-red']);
    expect(only(`${ESC}[38;5;240mx`).classes).to.deep.equal(['ansi-bright-black']);
    expect(only(`${ESC}[38;2;10;190;12mx`).classes).to.deep.equal(['ansi-green']);
    expect(only(`${ESC}[48;2;0;0;230mx`).classes).to.deep.equal(['ansi-on-blue']);
  });

  it('escapes markup', () => {
    expect(styledText('<script>alert(1)</script>')).to.deep.equal([{ text: '<script>alert(1)</script>', classes: [] }]);
    expect(only(`${ESC}[31m<b onclick="x">`).text).to.equal('<b onclick="x">');
  });

  it('removes other terminal sequences: cursor movement, titles, links', () => {
    expect(only(`${ESC}[2J${ESC}[10;1Hhere${ESC}[?25l`).text).to.equal('here');
    expect(only(`${ESC}]0;title\x07text`).text).to.equal('text');
    expect(only(`${ESC}]8;;https://evil.test\x07link${ESC}]8;;\x07`).text).to.equal('link');
  });

  it('shows control characters, and those that change the text direction', () => {
    expect(only('a\x00b\x08c\rd\te').text).to.equal('a␀b␈c␍d\te');
    expect(only('a\u202eb\x85').text).to.equal('a<U+202E>b<U+0085>');
    expect(only(`a${ESC}`).text).to.equal('a␛');
  });

  it('renders nothing for empty text', () => {
    expect(styledText('')).to.deep.equal([]);
    expect(plainText(`${ESC}[31mred${ESC}[0m`)).to.equal('red');
  });
});

describe('log colors', () => {
  const css = readFileSync(new URL('../../../../src/web/assets/runs.css', import.meta.url), 'utf8');
  /** Background of `.log` in each theme, and of a highlighted line (runhook.css). */
  const GROUNDS = { light: ['#ffffff', '#e7edfd'], dark: ['#181b20', '#1d2b55'] };

  for (const [theme, grounds] of Object.entries(GROUNDS))
    it(`are readable in the ${theme} theme`, () => {
      const block = new RegExp(`data-bs-theme='${theme}'\\] \\{([^}]*)\\}`).exec(css)![1]!;
      const colours = [...block.matchAll(/--ansi-([\w-]+): (#\w+);/g)].map(([, name, hex]) => [name!, hex!] as const);
      expect(colours).to.have.length(17);
      const ink = colours.find(([name]) => name === 'ink')![1];
      for (const [name, hex] of colours.filter((one) => one[0] !== 'ink'))
        for (const ground of [...grounds, ink])
          expect(contrast(hex, ground), `${name} on ${ground}`).to.be.at.least(4.5);
    });
});

function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function luminance(hex: string): number {
  const full = hex.length === 4 ? [...hex.slice(1)].map((digit) => digit + digit).join('') : hex.slice(1);
  const [r, g, b] = [0, 2, 4].map((at) => {
    const value = parseInt(full.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
