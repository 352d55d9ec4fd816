import { expect } from 'chai';
import { Linter } from 'eslint';
import { plainEnglish } from '#scripts/texts/eslint-rule.mjs';

const lint = (code: string) =>
  new Linter().verify(code, [
    { plugins: { texts: { rules: { english: plainEnglish } } }, rules: { 'texts/english': 1 } },
  ]);

describe('the lint rule for plain English', () => {
  it('reports texts, comments and names with their position', () => {
    const messages = lint("// mend it\nconst there = 'Runs under way end';");
    expect(messages.map(({ line, column, message }) => [line, column, message.split(':')[0]])).to.deep.equal([
      [1, 4, '“mend”'],
      [2, 7, '“there”'],
      [2, 21, '“under way”'],
    ]);
  });

  it('suggests a replacement with the same capitalization', () => {
    const code = "throw new Error('Somebody removed the test');";
    const [message] = lint(code);
    const { fix } = message!.suggestions![0]!;
    expect(code.slice(0, fix.range[0]) + fix.text + code.slice(fix.range[1])).to.equal(
      "throw new Error('Someone removed the test');",
    );
    expect(lint('// he').map(({ suggestions }) => suggestions ?? [])).to.deep.equal([[]]);
  });

  it('accepts plain English', () => {
    expect(lint("// Retries until the deadline.\nconst existing = 'The run is stopped';")).to.deep.equal([]);
  });
});
