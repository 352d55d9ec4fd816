import { expect } from 'chai';
import { parse, problemsOf, projectFileText } from '#test/builders/project-file.js';

describe('project file as YAML', () => {
  for (const [what, text, problem] of [
    ['an empty file', '', /^1: the file is empty/],
    ['a list', '[a]', /^1: the file must be a map with the fields id, project/],
    ['a syntax error', 'project: a\ntests:\n\t- name: x', /^3: not valid YAML: Tabs/],
    ['a duplicate key', 'project: a\nproject: b\ntests: []', /^2: "project" is a duplicate of line 1/],
    ['a second document', 'project: a\ntests: []\n---\nproject: b\n', /^3: a second document starts here/],
    ['an unknown tag', 'project: !secret a\ntests: []', /^1: not valid YAML: Unresolved tag: !secret/],
    ['an alias without its anchor', 'project: *a\ntests: []', /^1: the alias \*a has no anchor/],
    ['an alias inside its own anchor', 'project: a\ntests: &t [*t]', /^2: the alias \*t is inside/],
    ['a map as a key', 'project: a\ntests: []\n? [a]\n: b', /^3: a field name must be plain text/],
    ['more than 5 MiB', 'x'.repeat(5 * 1024 * 1024 + 1), /^1: the file is larger than 5 MiB/],
    ['many levels', `project: ${'['.repeat(50)}${']'.repeat(50)}\ntests: []`, /^1: values are nested more than 40/],
    // The parser would exhaust the stack, which ends the process.
    ['a million levels', `project: ${'['.repeat(1_000_000)}`, /^1: values are nested more than 40/],
    ['levels of lists', '- '.repeat(100_000), /^1: values are nested more than 40/],
    ['levels of maps', `project: ${'{a: '.repeat(100_000)}`, /^1: values are nested more than 40/],
    ['levels of keys', '? '.repeat(100_000), /^1: values are nested more than 40/],
    [
      'levels by indentation',
      Array.from({ length: 500 }, (_, level) => `${' '.repeat(level)}a:`).join('\n'),
      /^1: values are nested more than 40/,
    ],
  ] as const)
    it(`rejects ${what}`, () => {
      const problems = problemsOf(text);
      expect(problems[0]).to.match(problem);
      expect(problems.length).to.be.at.most(2);
    });

  it('rejects an alias bomb quickly', () => {
    const levels = Array.from(
      { length: 15 },
      (_, level) => `a${level + 1}: &a${level + 1} [${`*a${level},`.repeat(10)}]`,
    );
    const began = performance.now();
    const problems = problemsOf(`a0: &a0 [x]\n${levels.join('\n')}\nproject: a\ntests: []`);
    expect(problems).to.deep.equal([
      '1: the file has too many values with its aliases (*name) expanded; use fewer aliases',
    ]);
    expect(performance.now() - began).to.be.lessThan(2000);
  });

  it('expands aliases', () => {
    const tests = ['{name: A, command: &c [node, x], env: &e {K: v}}', '{name: B, command: *c, env: *e}'];
    const [a, b] = parse(projectFileText(tests)).tests;
    expect(b!.definition).to.deep.equal(a!.definition);
  });

  it('keeps quotes in comments and quoted words', () => {
    expect(parse('# "\n' + projectFileText([], [], '"yes"')).name).to.equal('yes');
  });

  it('reports the first problem when there are too many', () => {
    const env = Array.from({ length: 9_000 }, (_, index) => `1A${index}: x`).join(', ');
    const tests = Array.from({ length: 16 }, (_, index) => `{name: t${index}, command: [x], env: {${env}}}`);
    const problems = problemsOf(projectFileText(tests));
    expect(problems).to.have.length(1);
    expect(problems[0]).to.match(/^3: tests\[0\]\.env\.1A0 is not a valid variable name/);
  }).timeout(60_000);
});
