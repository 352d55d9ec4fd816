import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { XMLParser } from 'fast-xml-parser';
import type { RunStatus } from '#src/domain/runs/run-status.js';
import { cli, invoke, newHome, type InvocationOptions } from '#test/support/cli/cli.js';
import { eventually } from '#test/support/eventually.js';
import { stubApi, type StubApi } from '#test/support/servers/stub-api.js';

describe('runhook test run, suite run', function () {
  this.timeout(20_000);
  let api: StubApi;
  beforeEach(async () => {
    api = await stubApi();
  });
  afterEach(() => api.stop());

  const signedIn = (more: InvocationOptions = {}): InvocationOptions => ({
    ...more,
    env: { RUNHOOK_URL: api.url, RUNHOOK_API_TOKEN: api.token, ...more.env },
  });
  const run = (args: string[], more?: InvocationOptions) => cli(args, signedIn(more));
  const starts = () => api.callsTo('POST', /^\/(test|suite)runs\/?$/);

  it('starts a test by name, waits, and prints the verdict', async () => {
    const { code, out, err } = await run(['test', 'run', 'Checkout works']);
    expect(code, err).to.equal(0);
    const [id] = [...api.runs.keys()];
    expect(out.split('\n')[0]).to.equal(`testRunId: ${id}`);
    expect(out).to.match(/\npassed {2}Checkout works in 2\.5 s\n$/);
    expect(err)
      .to.include(`${api.url}/runs/${id}`)
      .and.match(/queued\n.*running\n.*passed/s);
    expect(starts()[0]!.json()).to.deep.equal({ testId: api.tests['Checkout works'], triggeredBy: 'cli' });
    expect(starts()[0]!.headers['idempotency-key']).to.match(/^[0-9a-f-]{36}$/);
  });

  const verdicts: [RunStatus, number][] = [
    ['passed', 0],
    ['failed', 1],
    ['error', 3],
    ['skipped', 3],
    ['stopped', 4],
  ];
  for (const [status, expected] of verdicts)
    it(`exits with ${expected} when the run is ${status}`, async () => {
      api.next = { script: ['queued', status] };
      expect((await run(['test', 'run', api.tests['Checkout works']!])).code).to.equal(expected);
      // The ID is given, so nothing else is looked up.
      expect(api.callsTo('GET', /^\/projects/)).to.have.length(0);
    });

  it('shows the last 50 log lines of a failed test, without terminal control sequences', async () => {
    const log = Array.from({ length: 700 }, (_, index) => `line ${index + 1}\u001b[2J`);
    api.next = { script: ['running', 'failed'], log };
    const { out } = await run(['test', 'run', 'Checkout works']);
    const shown = out.split('\n').filter((line) => line.startsWith('line '));
    expect(shown).to.have.length(50);
    expect(shown[0]).to.equal('line 651');
    expect(shown.at(-1)).to.equal('line 700');
  });

  it('reports each ended test of a suite, and those that did not pass', async () => {
    api.next = {
      script: ['queued', 'running', 'failed'],
      tests: [
        ['Checkout works', 'passed'],
        ['Prices add up', 'failed'],
      ],
      log: ['wrong price'],
    };
    const { code, out, err } = await run(['suite', 'run', 'Smoke']);
    expect(code).to.equal(1);
    expect(out).to.match(/^suiteRunId: [0-9a-f-]{36}\n/);
    expect(err).to.include('[1/2] passed  Checkout works (2.5 s)').and.to.include('[2/2] failed  Prices add up');
    expect(out)
      .to.include('wrong price')
      .and.match(/failed {2}Smoke in 2\.5 s \(1 passed, 1 failed\)/);
  });

  it('redraws one line on a terminal', async () => {
    const { err } = await run(['test', 'run', 'Checkout works'], { isTTY: true, env: { NO_COLOR: '1' } });
    expect(err).to.match(/\r\u001b\[K⠋ Checkout works: queued · 0\.0 s/);
    expect(err.endsWith('\r\u001b[K')).to.equal(true);
    expect(err).not.to.match(/\n0\.\d s {2}queued/);
  });

  it('does not wait with --no-wait', async () => {
    api.next = { script: ['queued'] };
    const { code, out } = await run(['test', 'run', 'Checkout works', '--no-wait']);
    expect(code).to.equal(0);
    expect(out).to.match(/^testRunId: [0-9a-f-]{36}\n$/);
    const asJson = await run(['test', 'run', 'Checkout works', '--no-wait', '--json']);
    expect(JSON.parse(asJson.out)).to.include({ status: 'queued', name: 'Checkout works' });
  });

  it('exits with 124 at the timeout, and explains how to stop the run', async () => {
    api.next = { script: ['running'] };
    const { code, err } = await run(['test', 'run', 'Checkout works', '--timeout', '300ms']);
    expect(code).to.equal(124);
    expect(err).to.match(/did not end within 0\.3 s.*runhook run stop [0-9a-f-]{36}/s);
    expect(api.callsTo('POST', /stop/)).to.have.length(0);
  });

  it('starts only one run when the response to the start is lost', async () => {
    api.faults = [
      { path: /^\/testruns\/?$/, fault: 'cut after' },
      { path: /^\/testruns\/?$/, fault: { status: 503, headers: { 'retry-after': '0' } } },
    ];
    const { code, err } = await run(['test', 'run', 'Checkout works']);
    expect(code, err).to.equal(0);
    expect(starts()).to.have.length(3);
    expect(new Set(starts().map(({ headers }) => headers['idempotency-key']))).to.have.length(1);
    expect(api.runs.size).to.equal(1);
  });

  it('keeps waiting through a server restart, 429, 503 and a proxy’s error page', async () => {
    // The run ends only on the test's signal: on a slow machine, many requests precede the restart.
    api.next = { script: ['queued', 'running'] };
    api.faults = [
      { path: /status/, fault: { status: 429, headers: { 'retry-after': '0' } } },
      { path: /status/, fault: { status: 503 } },
      { path: /status/, fault: { status: 502, body: '<html>Bad gateway</html>' } },
      { path: /status/, fault: 'cut' },
    ];
    const invocation = invoke(['test', 'run', 'Checkout works'], signedIn());
    await eventually(() => (invocation.err.includes('running') ? true : undefined));
    const { err } = invocation;
    await api.stop();
    // Only the first failure is reported: a request in flight was cut off, and the next one was refused.
    const isUnavailable = /is not responding \((ECONNREFUSED|ECONNRESET|UND_ERR_SOCKET)\)/;
    await eventually(() => (isUnavailable.test(invocation.err.slice(err.length)) ? true : undefined));
    for (const run of api.runs.values()) run.script = ['failed'];
    await api.start();
    expect(await invocation.ended).to.equal(1);
    expect(invocation.err).to.include('The server is responding again.');
    expect(api.runs.size).to.equal(1);
  });

  it('retries no sooner than Retry-After', async () => {
    api.faults = [{ path: /^\/testruns\/?$/, fault: { status: 429, headers: { 'retry-after': '1' } } }];
    const began = Date.now();
    await run(['test', 'run', 'Checkout works', '--no-wait']);
    expect(Date.now() - began).to.be.within(1000, 5000);
  });

  it('exits with 2 when the token is revoked during the wait', async () => {
    api.next = { script: ['running'] };
    const invocation = invoke(['test', 'run', 'Checkout works'], signedIn());
    await eventually(() => (invocation.err.includes('running') ? true : undefined));
    api.token = 'rhat_other';
    expect(await invocation.ended).to.equal(2);
    expect(invocation.err).to.include('runhook login').and.to.include('The run may continue.');
  });

  it('sends variables, secret ones and a variable set; reads a secret from the environment', async () => {
    await run(
      [
        'test',
        'run',
        'Checkout works',
        '--no-wait',
        '--variable',
        'A=1',
        '--variable',
        'B=x=y',
        '--profile',
        'Staging',
      ].concat(['--secret-variable', 'PASSWORD', '--idempotency-key', 'build 7']),
      { env: { PASSWORD: 'geheim' } },
    );
    expect(starts()[0]!.json()).to.deep.equal({
      testId: api.tests['Checkout works'],
      runProfileId: api.project.id,
      variables: [
        { key: 'A', value: '1' },
        { key: 'B', value: 'x=y' },
        { key: 'PASSWORD', value: 'geheim', isSecret: true },
      ],
      triggeredBy: 'cli',
    });
    expect(starts()[0]!.headers['idempotency-key']).to.equal('build 7');
  });

  for (const [args, words] of [
    [['test', 'run', 'Chekout works'], 'Did you mean "Checkout works"?'],
    [['suite', 'run', 'Smok'], 'Did you mean "Smoke"?'],
    [['test', 'run', 'Checkout works', '--project', 'demo-shp'], 'Did you mean "demo-shop"?'],
    [['test', 'run', 'Checkout works', '--profile', 'staging'], 'Did you mean "Staging"?'],
    [['test', 'run', 'Checkout works', '--timeout', 'soon'], '--timeout must be a duration'],
    [['test', 'run', 'Checkout works', '--reporter', 'tap'], '--reporter must be one of'],
    [['test', 'run', 'Checkout works', '--variable', '1=2'], '--variable must be KEY=VALUE'],
    [['test', 'run', 'Checkout works', '--variable', 'GONE'], 'the environment variable GONE is not set'],
    [['test', 'run', 'Checkout works', '--variable', 'A=geheim', '--secret-variable', 'A=geheim'], 'A is set twice'],
    [['test', 'run', '0b6e3c52-6e0f-4b8e-9a53-3f2f5a1f7c11'], 'Refused with 404'],
    [['test', 'run'], 'missing required argument'],
    [['test', 'rnu', 'x'], 'unknown command'],
    [['test', 'run', 'Checkout works', '--wat'], 'unknown option'],
  ] as const)
    it(`rejects ${args.join(' ')}`, async () => {
      const { code, err, out } = await run([...args]);
      expect(code, err).to.equal(2);
      expect(err).to.include(words).and.not.include('geheim');
      expect(out).to.equal('');
      expect(api.runs.size).to.equal(0);
    });

  it('asks which project when there are several', async () => {
    api.projects = [api.project, { id: api.tests['Prices add up']!, name: 'Other', slug: 'other' }];
    const { code, err } = await run(['suite', 'run', 'Smoke']);
    expect(code).to.equal(2);
    expect(err).to.include('--project').and.to.include('other  (Other)');
    expect((await run(['suite', 'run', 'Smoke'], { env: { RUNHOOK_PROJECT: 'Demo shop' } })).code).to.equal(0);
  });

  it('exits with 3 without a response, and with 2 when not signed in', async () => {
    expect((await cli(['test', 'run', 'x'], { env: { RUNHOOK_URL: api.url } })).code).to.equal(2);
    const { code, err } = await run(['test', 'list'], { env: { RUNHOOK_URL: 'http://127.0.0.1:1' } });
    expect(code).to.equal(3);
    expect(err).to.match(/is not responding \(.+\).*runhook doctor/s);
  });

  it('writes JUnit that a public parser can read, and prints the verdict as well', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'runhook-junit-'));
    const file = join(folder, 'made', 'junit.xml');
    api.next = {
      script: ['running', 'failed'],
      tests: [
        ['Checkout works', 'passed'],
        ['<b>&"\u0007 odd', 'failed'],
        ['Late', 'stopped'],
        ['Never', 'skipped'],
      ],
      log: ['\u001b[31mred\u001b[0m \u0000\ufffe <x> & ]]> \ud800 ok'],
    };
    const { code, out } = await run(['suite', 'run', 'Smoke', '--output-path', file]);
    expect(code).to.equal(1);
    expect(out)
      .to.match(/^suiteRunId: /)
      .and.to.include('failed  Smoke');
    const text = await readFile(file, 'utf8');
    const { testsuites } = new XMLParser({ ignoreAttributes: false, parseAttributeValue: true }).parse(text, true);
    expect(testsuites.testsuite).to.include({
      '@_name': 'Smoke',
      '@_tests': 4,
      '@_failures': 1,
      '@_errors': 1,
      '@_skipped': 1,
    });
    const [passed, failed, stopped, skipped] = testsuites.testsuite.testcase;
    expect(passed).to.deep.equal({ '@_name': 'Checkout works', '@_classname': 'Smoke', '@_time': 2.5 });
    expect(failed['@_name']).to.equal('<b>&" odd');
    expect(failed.failure['#text']).to.match(/\/runs\/.*\nred {2}<x> & \]\]> {2}ok$/s);
    expect(stopped).to.have.property('error');
    expect(skipped).to.have.property('skipped');
  });

  it('prints a report as the only output on stdout, and the ID on stderr', async () => {
    api.next = { script: ['running', 'passed'] };
    const junit = await run(['test', 'run', 'Checkout works', '--reporter', 'junit', '--quiet']);
    expect(junit.out).to.match(/^<\?xml/);
    expect(junit.err).to.match(/^testRunId: [0-9a-f-]{36}\n$/);
    const json = await run(['test', 'run', 'Checkout works', '--json']);
    expect(JSON.parse(json.out)).to.include({ status: 'passed' });
  });

  it('deletes an earlier report first, and does not succeed when the new one cannot be written', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'runhook-junit-'));
    const file = join(folder, 'junit.xml');
    await writeFile(file, 'old');
    api.next = { script: ['running'] };
    await run(['test', 'run', 'Checkout works', '--output-path', file, '--timeout', '100ms']);
    expect(await readFile(file, 'utf8').catch((error) => error.code)).to.equal('ENOENT');
    const { code, err } = await run(['test', 'run', 'Checkout works', '--output-path', join(file, 'x', '..', '..')]);
    expect(code).to.equal(2);
    expect(err).to.include('Cannot write the report');
  });

  it('asks at Ctrl-C on a terminal whether to stop the run', async () => {
    api.next = { script: ['running'] };
    for (const [answer, code, stops] of [
      ['y\n', 130, 1],
      ['n\n', 130, 1],
    ] as const) {
      const invocation = invoke(['test', 'run', 'Checkout works'], signedIn({ isTTY: true }));
      await eventually(() => (invocation.err.includes('running') ? true : undefined));
      invocation.interrupt();
      await eventually(() => (invocation.err.includes('Stop the run as well?') ? true : undefined));
      invocation.type(answer);
      expect(await invocation.ended).to.equal(code);
      expect(api.callsTo('POST', /\/stop\/$/)).to.have.length(stops);
    }
  });

  it('keeps waiting if the answer is to continue', async () => {
    api.next = { script: ['queued', 'running'] };
    const invocation = invoke(['test', 'run', 'Checkout works'], signedIn({ isTTY: true }));
    await eventually(() => (invocation.err.includes('running') ? true : undefined));
    invocation.interrupt();
    await eventually(() => (invocation.err.includes('Stop the run as well?') ? true : undefined));
    invocation.type('c\n');
    [...api.runs.values()][0]!.script = ['passed'];
    expect(await invocation.ended).to.equal(0);
  });

  it('exits with 130 without a terminal, and at a second Ctrl-C', async () => {
    api.next = { script: ['running'] };
    for (const isTTY of [false, true]) {
      const invocation = invoke(['test', 'run', 'Checkout works'], signedIn({ isTTY }));
      await eventually(() => (invocation.err.includes('running') ? true : undefined));
      invocation.interrupt();
      if (isTTY) invocation.interrupt();
      expect(await invocation.ended).to.equal(130);
      expect(invocation.err).to.match(/The run continues.*runhook run stop [0-9a-f-]{36}/s);
    }
    expect(api.callsTo('POST', /stop/)).to.have.length(0);
  });

  it('prefers flags to the environment, and the environment to the config file', async () => {
    const home = newHome();
    await cli(['config', 'set', 'url', 'http://127.0.0.1:1'], { env: { HOME: home } });
    // Stored for the currently configured server.
    await cli(['config', 'set', 'token', api.token], { env: { HOME: home, RUNHOOK_URL: api.url } });
    const env = { HOME: home, RUNHOOK_URL: 'http://127.0.0.1:2' };
    expect((await cli(['test', 'list', '--url', api.url], { env })).code).to.equal(0);
    expect((await cli(['test', 'list'], { env: { HOME: home, RUNHOOK_URL: api.url } })).code).to.equal(0);
  });
});
