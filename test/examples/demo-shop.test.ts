import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { CommandTest } from '#src/domain/targets/definitions.js';
import { parseProjectFile } from '#src/domain/project-file/project-file.js';

const folder = fileURLToPath(new URL('../../examples/demo-shop', import.meta.url));
const text = readFileSync(`${folder}/runhook.yaml`, 'utf8');
const { name, tests, suites } = parseProjectFile(text, { folder, fileName: 'runhook.yaml' });

/** Runs a test of the demo as the command runner would. */
function run(testName: string, attempt: number) {
  const { command, cwd, env } = tests.find((test) => test.name === testName)!.definition as CommandTest;
  const [program, ...args] = command as [string, ...string[]];
  const { PATH } = process.env;
  return spawnSync(program, args, {
    cwd,
    env: { PATH, ...env, RUNHOOK_ATTEMPT: String(attempt) },
    encoding: 'utf8',
    timeout: 8000,
  });
}

describe('demo shop', () => {
  it('is a project with a suite of its five tests', () => {
    expect(name).to.equal('Demo shop');
    expect(suites.map((suite) => suite.name)).to.deep.equal(['Smoke']);
    expect(suites[0]!.definition.tests)
      .to.deep.equal(tests.map((test) => test.name))
      .and.to.have.length(5);
  });

  for (const passing of ['Checkout works', 'Prices add up', 'Shop answers over HTTP'])
    it(`passes: ${passing}`, () => {
      const { status, stdout, stderr } = run(passing, 1);
      expect(status, stdout + stderr).to.equal(0);
      expect(stdout).to.match(/ok .*PASSED/s);
    });

  it('has a flaky test that passes on its retry', () => {
    const flaky = 'Stock is refreshed (flaky)';
    expect(tests.find((test) => test.name === flaky)!.definition.retries).to.equal(1);
    expect([run(flaky, 1).status, run(flaky, 2).status]).to.deep.equal([1, 0]);
  });

  it('has a failing test that says what it expected and got', () => {
    const { status, stdout } = run('Refund is booked (known bug)', 1);
    expect(status).to.equal(1);
    expect(stdout).to.match(/WRONG the refund is booked\s+expected 0\s+got\s+653\s+FAILED/);
  });
});
