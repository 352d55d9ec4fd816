import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { XMLParser } from 'fast-xml-parser';
import { parse } from 'yaml';
import { newHome } from '#test/support/cli/cli.js';
import { stubApi, type StubApi } from '#test/support/servers/stub-api.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const example = (name: string) => readFile(join(ROOT, 'examples/ci', name), 'utf8');

/** The shell of each file that runs the suite. */
const SHELLS: Record<string, () => Promise<string>> = {
  async 'github-actions.yml'() {
    const { jobs } = parse(await example('github-actions.yml')) as {
      jobs: { smoke: { steps: { run?: string }[] } };
    };
    return jobs.smoke.steps.find(({ run }) => run?.startsWith('runhook'))!.run!;
  },
  async 'gitlab-ci.yml'() {
    return (parse(await example('gitlab-ci.yml')) as { smoke: { script: string[] } }).smoke.script.join('\n');
  },
  async Jenkinsfile() {
    // In Groovy, a backslash at the end of a line is literal here: the line continues, as in the shell.
    return /sh '''([^]*?)'''/.exec(await example('Jenkinsfile'))![1]!;
  },
  'curl.sh': () => example('curl.sh'),
};

const CI_VARIABLES = {
  GITHUB_SHA: 'c0ffee',
  GITHUB_RUN_ID: '7',
  GITHUB_RUN_ATTEMPT: '1',
  CI_COMMIT_SHA: 'c0ffee',
  CI_JOB_ID: '7',
  GIT_COMMIT: 'c0ffee',
  BUILD_TAG: 'jenkins-smoke-7',
};

describe('examples/ci', function () {
  this.timeout(60_000);
  let api: StubApi;
  let folder: string;

  beforeEach(async () => {
    api = await stubApi();
    folder = await mkdtemp(join(tmpdir(), 'runhook-ci-'));
    // Like in an installed package.
    await mkdir(join(folder, 'bin'));
    await writeFile(join(folder, 'bin/runhook'), `#!/bin/sh\nexec node ${ROOT}dist/src/bin/runhook.js "$@"\n`);
    await chmod(join(folder, 'bin/runhook'), 0o755);
  });

  afterEach(async () => {
    await api.stop();
    await rm(folder, { recursive: true });
  });

  /** Runs it like CI services do: any failing command ends it. */
  function shell(script: string, env: Record<string, string> = {}) {
    const all = {
      PATH: `${folder}/bin:${process.env.PATH}`,
      HOME: newHome(),
      RUNHOOK_URL: api.url,
      RUNHOOK_API_TOKEN: api.token,
      SUITE_ID: api.suites.Smoke!,
      POLL_SECONDS: '0.1',
      RETRY_DELAY: '1',
      ...CI_VARIABLES,
      ...env,
    };
    return new Promise<{ code: number; out: string; err: string }>((resolve) =>
      execFile('sh', ['-e', '-c', script, 'sh'], { cwd: folder, env: all }, (error, out, err) =>
        resolve({ code: Number(error?.code ?? 0), out, err }),
      ),
    );
  }

  for (const [name, shellOf] of Object.entries(SHELLS))
    it(`${name} fails with the suite, and passes with it, in one run`, async () => {
      const script = await shellOf();
      api.next = { script: ['queued', 'running', 'failed'], tests: [['Checkout works', 'failed']] };
      // The response to the start is lost, and the server fails for a moment.
      api.faults = [
        { path: /^\/suiteruns\/?$/, fault: { status: 503, headers: { 'retry-after': '1' } } },
        { path: /^\/suiteruns\/.+/, fault: { status: 503 } },
      ];
      const failed = await shell(script);
      expect(failed.code, failed.err).to.equal(1);
      expect(failed.out).to.match(/^suiteRunId: [0-9a-f-]{36}\n/);
      const starts = api.callsTo('POST', /^\/suiteruns\/?$/);
      expect(starts).to.have.length(2);
      expect(starts[0]!.headers['idempotency-key'])
        .to.equal(starts[1]!.headers['idempotency-key'])
        .and.not.equal(undefined);
      expect([...api.runs.values()].filter(({ kind }) => kind === 'suite')).to.have.length(1);
      if (name !== 'curl.sh') {
        const report = new XMLParser().parse(await readFile(join(folder, 'reports/runhook.xml'), 'utf8'), true);
        expect(report.testsuites.testsuite.testcase).to.have.property('failure');
      }
      api.next = { script: ['passed'] };
      const passed = await shell(script, { GITHUB_RUN_ID: '8', CI_JOB_ID: '8', BUILD_TAG: 'jenkins-smoke-8' });
      expect(passed.code, passed.err).to.equal(0);
    });

  it('curl.sh distinguishes refused starts, stopped runs and timeouts, and never prints the token', async () => {
    const script = await example('curl.sh');
    expect((await shell(script, { RUNHOOK_API_TOKEN: 'rhat_wrong' })).code).to.equal(2);
    api.next = { script: ['stopped'] };
    const stopped = await shell(script);
    expect(stopped.code).to.equal(4);
    expect(stopped.out + stopped.err).not.to.include(api.token);
    api.next = { script: ['running'] };
    expect((await shell(script, { TIMEOUT_SECONDS: '0' })).code).to.equal(124);
  });

  it('webhook.sh retries with the same key', async () => {
    api.faults = [{ path: /webhooks/, fault: { status: 503, headers: { 'retry-after': '1' } } }];
    const { code, err } = await shell(await example('webhook.sh'), {
      WEBHOOK_URL: `${api.url}/webhooks/x/tests/run/y`,
    });
    const calls = api.callsTo('POST', /webhooks/);
    expect(calls.map(({ headers }) => headers['idempotency-key'])).to.have.length(2);
    expect(calls[0]!.headers['idempotency-key'])
      .to.equal(calls[1]!.headers['idempotency-key'])
      .and.match(/^[0-9a-f]{32}$/);
    // The stub has no webhooks.
    expect(code, err).to.equal(22);
  });
});
