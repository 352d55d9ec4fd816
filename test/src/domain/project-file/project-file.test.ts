import { expect } from 'chai';
import { targetIdOf } from '#src/domain/ids.js';
import type { CommandTest } from '#src/domain/targets/definitions.js';
import { parse, problemsOf, PROJECT_ID, projectFileText } from '#test/builders/project-file.js';

const ID = '0b6e3c52-6e0f-4b8e-9a53-3f2f5a1f7c11';

describe('project file', () => {
  it('fills in the defaults', () => {
    const file = parse(
      'project: Demo\ntests:\n  - name: A\n    command: [node, a.mjs]\nsuites:\n  - {name: S, tests: [A]}',
    );
    const id = targetIdOf(PROJECT_ID, 'test', 'A');
    expect(file.id).to.equal(PROJECT_ID);
    expect(file.tests).to.deep.equal([
      {
        id,
        name: 'A',
        line: 3,
        definition: {
          runner: 'command',
          command: ['node', 'a.mjs'],
          cwd: '/shop',
          env: {},
          timeoutMs: 300_000,
          retries: 0,
          pool: 'default',
        },
      },
    ]);
    expect(file.suites[0]!.definition).to.deep.equal({
      tests: [id],
      parallelism: 4,
      onFailure: 'continue',
      retryFailed: 0,
      overlap: 'allow',
    });
  });

  it('accepts retentionDays, or none', () => {
    const withDays = (days: string) => `retentionDays: ${days}\n${projectFileText(['{name: A, command: [x]}'])}`;
    expect(parse(withDays('30')).retentionDays).to.equal(30);
    expect(parse(projectFileText(['{name: A, command: [x]}'])).retentionDays).to.equal(undefined);
    for (const days of ['0', '3651', '1.5', 'long'])
      expect(problemsOf(withDays(days))).to.deep.equal(['1: retentionDays must be a whole number from 1 to 3650']);
  });

  it('reads all fields, and a test twice in a suite', () => {
    const text = projectFileText(
      [
        `{name: " A ", id: ${ID.toUpperCase()}, runner: command, command: [x], cwd: sub, timeout: 90s, retries: 2, pool: gpu}`,
        '{name: B, command: [x], cwd: /abs}',
      ],
      [
        '{name: S, tests: [B, A, B], parallelism: 500, onFailure: stop, retryFailed: 2, timeout: 100h, overlap: stop-previous, priority: 1}',
      ],
    );
    const { tests, suites } = parse(text);
    expect(tests[0]).to.deep.include({ id: ID, name: 'A' });
    expect(tests[0]!.definition).to.deep.include({ cwd: '/shop/sub', timeoutMs: 90_000, retries: 2, pool: 'gpu' });
    expect(tests[1]!.definition.cwd).to.equal('/abs');
    const b = tests[1]!.id;
    expect(suites[0]!.definition).to.deep.equal({
      tests: [b, ID, b],
      parallelism: 500,
      onFailure: 'stop',
      retryFailed: 2,
      timeoutMs: 360_000_000,
      overlap: 'stop-previous',
      priority: 1,
    });
  });

  it('derives the ids of tests and suites from the id of the project', () => {
    const file = parse(`id: ${ID}\n${projectFileText(['{name: A, command: [x]}'])}`);
    expect(file.id).to.equal(ID);
    expect(file.tests[0]!.id).to.equal(targetIdOf(ID, 'test', 'A'));
  });

  for (const [written, ms] of [
    ['500ms', 500],
    ['60s', 60_000],
    ['5m', 300_000],
    ['24h', 86_400_000],
  ] as const)
    it(`reads the duration ${written}`, () => {
      const { tests } = parse(projectFileText([`{name: A, command: [x], timeout: ${written}}`]));
      expect(tests[0]!.definition.timeoutMs).to.equal(ms);
    });

  for (const written of ['60', '0s', '25h', '1.5m', '-1s', 'soon', '[1s]'])
    it(`rejects the duration ${written}`, () => {
      const problems = problemsOf(projectFileText([`{name: A, command: [x], timeout: ${written}}`]));
      expect(problems).to.have.length(1);
      expect(problems[0]).to.match(/^3: tests\[0\]\.timeout must be a duration .*60s/);
    });

  for (const [field, value, expected] of [
    ['retryFailed', 11, /whole number from 0 to 10/],
    ['timeout', '169h', /duration .* up to 168h/],
    ['overlap', 'wait', /"allow", "queue", "skip" or "stop-previous"/],
    ['priority', 6, /whole number from 1 to 5/],
  ] as const)
    it(`rejects a suite's ${field}: ${value}`, () => {
      const problems = problemsOf(
        projectFileText(['{name: A, command: [x]}'], [`{name: S, tests: [A], ${field}: ${value}}`]),
      );
      expect(problems).to.have.length(1);
      expect(problems[0])
        .to.match(expected)
        .and.match(new RegExp(`^5: suites\\[0\\]\\.${field} `));
    });

  it('keeps numbers and booleans in env and command as text', () => {
    const { definition } = parse(
      projectFileText(['{name: A, command: [sleep, 1.10, 08, 0x1F], env: {V: 1.10, YES: true, EMPTY: ""}}']),
    ).tests[0]!;
    expect((definition as CommandTest).command).to.deep.equal(['sleep', '1.10', '08', '0x1F']);
    expect(definition.env).to.deep.equal({ V: '1.10', YES: 'true', EMPTY: '' });
  });

  it('reads JSON', () => {
    const json = JSON.stringify({ project: 'J', tests: [{ name: 'A', command: ['x'], env: { A: 1 } }] }, null, 2);
    expect(parse(json).tests[0]!.definition.env).to.deep.equal({ A: '1' });
  });

  it('rejects numbers and booleans in quotes, in YAML and in JSON', () => {
    const project = {
      project: 'P',
      retentionDays: '30',
      tests: [{ name: 'A', command: ['x'], retries: '2' }],
      suites: [{ name: 'S', tests: ['A'], parallelism: '3' }],
      schedules: [{ name: 'N', suite: 'S', cron: '@daily', paused: 'true' }],
    };
    const number = 'must be a number, not a string: remove the quotes';
    const expected = [
      `retentionDays ${number}`,
      `tests[0].retries ${number}`,
      `suites[0].parallelism ${number}`,
      'schedules[0].paused must be true or false, not a string: remove the quotes',
    ];
    const json = JSON.stringify(project, null, 2);
    const withoutLines = (problems: string[]) => problems.map((problem) => problem.replace(/^\d+: /, ''));
    expect(withoutLines(problemsOf(json))).to.deep.equal(expected);
    const yaml = `project: P
retentionDays: "30"
tests: [{ name: A, command: [x], retries: '2' }]
suites: [{ name: S, tests: [A], parallelism: "3" }]
schedules: [{ name: N, suite: S, cron: "@daily", paused: "true" }]
`;
    expect(problemsOf(yaml)).to.deep.equal(expected.map((problem, index) => `${index + 2}: ${problem}`));
    expect(problemsOf(json.replace(/"(30|2|3|true)"/g, '$1'))).to.deep.equal([]);
    expect(problemsOf(yaml.replace(/["'](30|2|3|true)["']/g, '$1'))).to.deep.equal([]);
  });

  it('accepts an alias of a number', () => {
    const [, { definition }] = parse(
      projectFileText(['{name: A, command: [x], retries: &n 2}', '{name: B, command: [x], retries: *n}']),
    ).tests as [unknown, { definition: CommandTest }];
    expect(definition.retries).to.equal(2);
  });

  it('reports file, line and fix of all problems, in order', () => {
    const text = `project: Demo
tests:
  - name: Checkout works
    command: node checkout.mjs
    timeout: 60
    retires: 1
    env: { 1A: secret-1, RUNHOOK_X: secret-2, B: }
  - name: Checkout works
    command: []
suites:
  - name: Smoke
    tests: [Chekout works, Refund]
    parallelism: 501
`;
    const problems = problemsOf(text);
    const expected = [
      /^4: tests\[0\]\.command must be a list .*to use a shell/,
      /^5: tests\[0\]\.timeout must be a duration/,
      /^6: tests\[0\]\.retires is not a field of a test; the fields are .*retries/,
      /^7: tests\[0\]\.env\.B must be a string/,
      /^7: tests\[0\]\.env\.1A is not a valid variable name/,
      /^7: tests\[0\]\.env\.RUNHOOK_X is not a valid variable name/,
      /^8: the test on line 3 has the same name "Checkout works"/,
      /^9: tests\[1\]\.command must be a list/,
      /^12: no test in this file is named "Chekout works"; did you mean "Checkout works"\?/,
      /^12: no test in this file is named "Refund"; add it/,
      /^13: suites\[0\]\.parallelism must be a whole number from 1 to 500/,
    ];
    expect(problems).to.have.length(expected.length);
    expected.forEach((pattern, index) => expect(problems[index]).to.match(pattern));
    expect(problems.join()).not.to.include('secret');
    expect(() => parse(text)).to.throw(/^shop\.yaml:4: .*\nshop\.yaml:5: /);
  });

  for (const [what, entry, problem] of [
    ['an empty program', '{name: A, command: ["", x]}', /^3: tests\[0\]\.command must be a list of the program/],
    ['a name that is too long', `{name: ${'x'.repeat(201)}, command: [x]}`, /^3: tests\[0\]\.name must be a name/],
    ['a name of blanks', '{name: "  ", command: [x]}', /^3: tests\[0\]\.name must be a name/],
    ['a name with a line break', '{name: "a\\nb", command: [x]}', /^3: tests\[0\]\.name must be a name/],
    ['no name', '{command: [x]}', /^3: tests\[0\]\.name is required/],
    [
      '11 retries',
      '{name: A, command: [x], retries: 11}',
      /^3: tests\[0\]\.retries must be a whole number from 0 to 10/,
    ],
    ['half a retry', '{name: A, command: [x], retries: 0.5}', /^3: tests\[0\]\.retries must be a whole number/],
    ['another runner', '{name: A, command: [x], runner: desktop}', /^3: tests\[0\]\.runner must be "command"/],
    ['a pool in capitals', '{name: A, command: [x], pool: GPU}', /^3: tests\[0\]\.pool must be a pool/],
    ['an id that is no UUID', '{name: A, command: [x], id: 7}', /^3: tests\[0\]\.id must be a UUID/],
    ['a NUL byte', '{name: A, command: [x], env: {A: "a\\0b"}}', /^3: the text contains a NUL character/],
    ['half a surrogate pair', '{name: A, command: ["\\uD800"]}', /^3: the text contains a lone surrogate/],
    ['__proto__', '{name: A, command: [x], env: {__proto__: x}}', /^3: a field name must be plain text/],
    ['a scalar for a test', 'hello', /^3: tests\[0\] must be a map with the fields id, name/],
  ] as const)
    it(`rejects ${what}`, () => {
      const problems = problemsOf(projectFileText([entry]));
      expect(problems).to.have.length(1);
      expect(problems[0]).to.match(problem);
    });

  it('rejects duplicate ids, including derived ones', () => {
    const derived = targetIdOf(PROJECT_ID, 'test', 'A');
    const problems = problemsOf(
      projectFileText(['{name: A, command: [x]}', `{name: B, command: [x], id: ${derived}}`]),
    );
    expect(problems).to.deep.equal([
      `4: the test on line 3 has the same id ${derived}; use unique ids, or remove them`,
    ]);
  });

  it('rejects a suite without tests and one with 10,001', () => {
    const many = Array.from({ length: 10_001 }, () => 'A').join(',');
    const suites = ['{name: S, tests: []}', `{name: T, tests: [${many}]}`];
    const problems = problemsOf(projectFileText(['{name: A, command: [x]}'], suites));
    expect(problems).to.have.length(2);
    expect(problems[0]).to.match(/^5: suites\[0\]\.tests must be a list of 1 to 10,000 names/);
    expect(problems[1]).to.match(/^6: 10001 entries are too many/);
  });

  it('accepts 10,000 tests and a suite of them', () => {
    const names = Array.from({ length: 10_000 }, (_, index) => `test ${index}`);
    const tests = names.map((name) => `{name: ${name}, command: [node, run.mjs]}`);
    const file = parse(projectFileText(tests, [`{name: all, tests: [${names.join(', ')}]}`]));
    expect(file.suites[0]!.definition.tests).to.deep.equal(file.tests.map(({ id }) => id));
  }).timeout(30_000);
});
