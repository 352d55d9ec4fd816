import { spawn } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { XMLParser } from 'fast-xml-parser';
import type { TestRun } from '#src/domain/runs/run.js';
import { eventually } from '#test/support/eventually.js';
import { addApiToken } from '#test/support/people.js';
import { startStack, type TestStack } from '#test/support/stack.js';

const PROGRAM = fileURLToPath(new URL('../../../dist/src/bin/runhook.js', import.meta.url));
const FIXTURES = fileURLToPath(new URL('../../fixtures/junit/', import.meta.url));
interface SuiteElement {
  testcase: { failure?: Record<string, string> }[];
}
/** More than a page of the API. */
const MANY = 620;

describe('test results in the whole stack', function () {
  this.timeout(180_000);
  let stack: TestStack;
  let token: string;
  let projectId: string;

  before(async () => {
    stack = await startStack();
    const folder = join(stack.folder, 'tests');
    await mkdir(folder);
    const cases = Array.from({ length: MANY }, (_, index) => `<testcase classname="many" name="case ${index}"/>`);
    const green = `<testsuite name="Green">${cases.join('')}</testsuite>`;
    await writeFile(join(folder, 'green.xml'), green);
    const script = (from: string, exit: number) =>
      `[sh, -c, 'rm -rf out-${exit}; mkdir out-${exit}; cp ${from} out-${exit}/; exit ${exit}']`;
    ({ projectId } = await stack.importText(`
project: Results
tests:
  - name: Green
    command: ${script('green.xml', 0)}
    cwd: ${folder}
    results: {junit: out-0/green.xml}
  - name: Red
    command: ${script(`${FIXTURES}pytest.xml`, 1)}
    cwd: ${folder}
    results: {junit: out-1/*.xml}
  - name: Liar
    command: [sh, -c, 'cp ${FIXTURES}mocha-xunit.xml liar.xml']
    cwd: ${folder}
    results: {junit: liar.xml}
  - name: Forgetful
    command: ['true']
    cwd: ${folder}
    results: {junit: nowhere/*.xml}
  - {name: Plain, command: ['true']}
suites:
  - {name: All, tests: [Green, Red, Liar, Forgetful, Plain]}
`));
    token = await addApiToken(stack.collections, { projectId });
  });

  after(() => stack?.stop());

  async function run(args: string[]) {
    const env = { PATH: process.env.PATH, HOME: stack.folder, RUNHOOK_URL: stack.baseUrl, RUNHOOK_API_TOKEN: token };
    const child = spawn(process.execPath, [PROGRAM, ...args], { cwd: stack.folder, env });
    const said = { out: '', err: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (said.out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said.err += text));
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
    return { code, ...said };
  }
  const runOf = async (name: string) =>
    (await stack.collections.runs.findOne({ targetName: name, projectId })) as TestRun | null;

  it('give each test its verdict, and one JUnit file with all cases', async () => {
    const { code, out, err } = await run(['suite', 'run', 'All', '--output-path', 'junit.xml']);
    expect(code, err).to.equal(1);
    expect(out).to.match(
      /failed {2}Red in .*\(4 cases: 1 passed, 1 failed, 1 error, 1 skipped\): 2 of 4 cases failed: /,
    );

    const [green, red, liar, forgetful, plain] = await Promise.all(
      ['Green', 'Red', 'Liar', 'Forgetful', 'Plain'].map(runOf),
    );
    expect(green!.attempts[0]!.verdict).to.deep.equal({
      status: 'passed',
      exitCode: 0,
      cases: { passed: MANY, failed: 0, error: 0, skipped: 0 },
      isolation: 'none',
    });
    expect([red!.status, red!.errorCode]).to.deep.equal(['failed', undefined]);
    expect(red!.errorMessage).to.match(/^2 of 4 cases failed: tests\.test_cart\.TestCart › test_removes, /);
    expect(liar!.status).to.equal('failed');
    expect(liar!.errorMessage).to.equal(
      'The command exited with code 0, but 1 of 3 cases failed: Cart adds › two items.',
    );
    expect(forgetful!.status).to.equal('passed');
    expect(forgetful!.attempts[0]!.verdict?.notes?.[0]).to.contain(
      'no file in the working folder matches nowhere/*.xml',
    );
    expect(plain!.attempts[0]!.verdict).to.deep.equal({ status: 'passed', exitCode: 0, isolation: 'none' });

    const isArray = (name: string) => name === 'testsuite' || name === 'testcase';
    const parser = new XMLParser({ ignoreAttributes: false, parseAttributeValue: true, isArray });
    const { testsuites } = parser.parse(await readFile(join(stack.folder, 'junit.xml'), 'utf8'), true);
    expect(testsuites).to.include({ '@_tests': MANY + 4 + 3 + 2, '@_failures': 2, '@_errors': 1, '@_skipped': 2 });
    const suites = new Map<string, SuiteElement>(
      testsuites.testsuite.map((one: Record<string, string>) => [one['@_name'], one]),
    );
    expect([...suites.keys()]).to.deep.equal(['All', 'Green', 'Red', 'Liar']);
    expect(suites.get('Green')!.testcase).to.have.lengthOf(MANY);
    const failed = suites.get('Red')!.testcase.find(({ failure }) => failure);
    expect(failed!.failure!['@_message']).to.equal('AssertionError: assert 3 == 2');
    expect(failed!.failure!['#text']).to.contain('tests/test_cart.py:12');
  });

  it('are shown on pages, in the API, and in Insights', async () => {
    const red = await runOf('Red');
    const headers = { ...stack.admin.sessionHeaders, accept: 'text/html' };
    const page = async (path: string) => (await fetch(`${stack.baseUrl}${path}`, { headers })).text();
    const html = await page(`/runs/${red!._id}`);
    expect(html).to.contain('AssertionError: assert 3 == 2').and.to.contain('<summary>Failure</summary>');
    expect(await page(`/runs/${red!._id}/cases?status=error`))
      .to.contain('test_card')
      .and.not.to.contain('test_removes');
    const show = await run(['run', 'show', red!._id]);
    expect(show.out).to.match(/^Cases +4 cases: 1 passed, 1 failed, 1 error, 1 skipped$/m);
    await eventually(async () => {
      const insights = await page(`/projects/${projectId}/insights`);
      return insights.includes(`<dt>Cases</dt><dd>${MANY + 7}: ${MANY + 2} passed, 2 failed, 1 error, 2 skipped</dd>`)
        ? true
        : undefined;
    }, 30_000);
  });
});
