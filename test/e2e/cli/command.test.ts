import { spawn } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { XMLParser } from 'fast-xml-parser';
import type { ImportedProject } from '#src/services/projects/import-project.js';
import { eventually } from '#test/support/eventually.js';
import { addApiToken, addPerson } from '#test/support/people.js';
import { startStack, type TestStack } from '#test/support/stack.js';

const PROGRAM = fileURLToPath(new URL('../../../dist/src/bin/runhook.js', import.meta.url));

/** Waits for a file in the folder, so that a test controls when another one continues. */
const WAIT_FOR = (file: string, exit: number) =>
  `[sh, -c, 'while [ ! -e ${file} ]; do sleep 0.1; done; echo done; exit ${exit}']`;

describe('the runhook command against a real server', function () {
  this.timeout(120_000);
  let stack: TestStack;
  let project: ImportedProject;
  let gates: string;
  let token: string;

  before(async () => {
    stack = await startStack();
    gates = join(stack.folder, 'gates');
    await mkdir(gates);
    project = await stack.importText(`
project: Demo
tests:
  - {name: Good, command: [sh, -c, 'echo "GREETING=$GREETING"; echo fine']}
  - {name: Bad, command: [sh, -c, 'echo why it failed; exit 1']}
  - {name: Gated, command: ${WAIT_FOR(join(gates, 'bad'), 1)}}
  - {name: Endless, command: [sh, -c, 'sleep 100']}
suites:
  - {name: Smoke, tests: [Good, Bad]}
  - {name: Slow, tests: [Good, Gated]}
`);
    token = await addApiToken(stack.collections, { projectId: project.projectId });
  });

  after(() => stack?.stop());

  function start(args: string[], env: Record<string, string> = {}, input = '') {
    const child = spawn(process.execPath, [PROGRAM, ...args], {
      cwd: stack.folder,
      env: {
        PATH: process.env.PATH,
        HOME: stack.folder,
        RUNHOOK_URL: stack.baseUrl,
        RUNHOOK_API_TOKEN: token,
        ...env,
      },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    child.stdin.end(input);
    const said = { out: '', err: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (said.out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said.err += text));
    const ended = new Promise<number | string>((resolve) =>
      child.once('close', (code, signal) => resolve(code ?? signal ?? 'nothing')),
    );
    return { said, ended, child };
  }

  async function run(args: string[], env?: Record<string, string>, input?: string) {
    const { said, ended } = start(args, env, input);
    return { code: await ended, ...said };
  }

  it('exits with 1 for a failing suite, with a JUnit file that a public parser reads', async () => {
    const { code, out, err } = await run(['suite', 'run', 'Smoke', '--output-path', 'junit.xml']);
    expect(code, err).to.equal(1);
    expect(out)
      .to.match(/^suiteRunId: [0-9a-f-]{36}\n/)
      .and.include('why it failed');
    const text = await readFile(join(stack.folder, 'junit.xml'), 'utf8');
    const { testsuites } = new XMLParser({ ignoreAttributes: false }).parse(text, true);
    const { testcase, ...suite } = testsuites.testsuite;
    expect(suite).to.include({ '@_name': 'Smoke', '@_tests': '2', '@_failures': '1', '@_errors': '0' });
    const bad = testcase.find((one: { '@_name': string }) => one['@_name'] === 'Bad');
    expect(bad.failure['#text']).to.include('why it failed');
  });

  it('returns the right exit code although the server is killed and restarted meanwhile', async () => {
    const { said, ended } = start(['suite', 'run', 'Slow', '--timeout', '90s']);
    await eventually(() => (said.err.includes('passed  Good') ? true : undefined), 30_000);
    await stack.server.kill('SIGKILL');
    await eventually(() => (said.err.includes('is not responding') ? true : undefined), 15_000);
    await writeFile(join(gates, 'bad'), '');
    await stack.server.start();
    expect(await ended, said.err).to.equal(1);
    expect(said.err).to.include('The server is responding again.');
    expect(said.out.match(/suiteRunId/g)).to.have.length(1);
  });

  it('passes variables, masks secret ones in logs, and returns the same run for one key', async () => {
    const args = ['test', 'run', 'Good', '--idempotency-key', 'one', '--secret-variable', 'GREETING'];
    const first = await run(args, { GREETING: 'Sesame!Open' });
    expect(first.code, first.err).to.equal(0);
    const again = await run(args, { GREETING: 'Sesame!Open' });
    expect(again.code, again.err).to.equal(0);
    const id = /testRunId: (\S+)/.exec(first.out)![1]!;
    expect(again.out).to.include(id);
    expect((await run(['run', 'logs', id])).out).to.equal('GREETING=***\nfine\n');
  });

  it('stops a run, follows logs, lists, shows and repeats', async () => {
    const started = await run(['test', 'run', 'Endless', '--no-wait']);
    const id = /testRunId: (\S+)/.exec(started.out)![1]!;
    const watching = start(['run', 'watch', id]);
    await eventually(() => (watching.said.err.includes('running') ? true : undefined), 20_000);
    expect((await run(['run', 'stop', id])).code).to.equal(0);
    expect(await watching.ended).to.equal(4);
    expect((await run(['run', 'list', '--status', 'stopped', '--test', 'Endless'])).out).to.include(id);
    expect((await run(['run', 'show', id])).out).to.match(/Status +stopped/);
    const suite = JSON.parse((await run(['run', 'list', '--suite', 'Smoke', '--json'])).out)[0];
    const again = await run(['run', 'rerun', suite.id, '--failed', '--json']);
    expect(again.code, again.err).to.equal(1);
    const { testRuns } = JSON.parse(again.out) as { testRuns: { name: string }[] };
    expect(testRuns.map(({ name }) => name)).to.deep.equal(['Bad']);
    const bad = await run(['test', 'run', 'Bad', '--no-wait']);
    const followed = await run(['run', 'logs', '--follow', /testRunId: (\S+)/.exec(bad.out)![1]!]);
    expect(followed.out).to.include('why it failed');
  });

  it('exits with 130 on Ctrl-C in a script, and the run continues', async () => {
    const { said, ended, child } = start(['test', 'run', 'Endless']);
    await eventually(() => (said.err.includes('running') ? true : undefined), 20_000);
    child.kill('SIGINT');
    expect(await ended).to.equal(130);
    const id = /testRunId: (\S+)/.exec(said.out)![1]!;
    expect((await run(['run', 'show', id])).out).to.match(/Status +running/);
    await run(['run', 'stop', id]);
  });

  it('applies a file after a dry run, and its export changes nothing', async () => {
    const person = await addPerson(stack.collections);
    const env = { RUNHOOK_API_TOKEN: person.apiToken };
    await writeFile(join(stack.folder, 'new.yaml'), 'project: New\ntests: [{name: A, command: [sh, -c, "true"]}]\n');
    const dry = await run(['apply', 'new.yaml', '--dry-run'], env);
    expect(dry.code, dry.err).to.equal(0);
    expect(dry.out).to.include('+ test A').and.to.include('Dry run');
    expect((await run(['apply', 'new.yaml'], env)).out)
      .to.include('+ test A')
      .and.to.include('Done.');
    expect((await run(['apply', 'new.yaml'], env)).out).to.include('no changes');
    expect((await run(['export', '--project', 'new', '--output', 'out.yaml'], env)).code).to.equal(0);
    expect((await run(['apply', 'out.yaml'], env)).out).to.include('no changes');
    await writeFile(join(stack.folder, 'bad.yaml'), 'project: New\ntests: [{name: A, comand: [x]}]\n');
    const wrong = await run(['apply', 'bad.yaml'], env);
    expect(wrong.code).to.equal(2);
    expect(wrong.err).to.include('comand');
  });

  it('creates, rotates and revokes tokens', async () => {
    const { apiToken } = await addPerson(stack.collections, { roles: { [project.projectId]: 'owner' } });
    const owner = { RUNHOOK_API_TOKEN: apiToken };
    const rotated = await run(['token', 'rotate', '--keep-old', '1h'], owner);
    expect(rotated.code, rotated.err).to.equal(0);
    expect(rotated.out).to.match(/\/webhooks\/rhwh_\w+\/tests\/run\/<TEST_ID>/);
    const made = await run(['token', 'create', 'CI', '--expires', '1h'], owner);
    expect(made.out, made.err).to.match(/^rhat_\w+\n$/);
    const withIt = { RUNHOOK_API_TOKEN: made.out.trim() };
    expect((await run(['test', 'list'], withIt)).code).to.equal(0);
    const listed = await run(['token', 'list'], owner);
    expect(listed.out)
      .to.match(/project +\S+ +live .*CI: read run/)
      .and.match(/webhook +2 +live .* never/);
    expect(listed.out).not.to.match(/rhat_|rhwh_/);
    expect((await run(['token', 'revoke', 'CI', '--type', 'project'], owner)).code).to.equal(0);
    expect((await run(['test', 'list'], withIt)).code).to.equal(2);
    expect((await run(['token', 'revoke', '1', '--type', 'webhook'], owner)).code).to.equal(0);
    expect((await run(['token', 'list', '--type', 'webhook'], owner)).out).to.match(/webhook +1 +revoked/);
  });

  it('leaves a project', async () => {
    const { apiToken } = await addPerson(stack.collections, { roles: { [project.projectId]: 'viewer' } });
    const viewer = { RUNHOOK_API_TOKEN: apiToken };
    const left = await run(['project', 'leave'], viewer);
    expect(left.code, left.err).to.equal(0);
    expect(left.err).to.include('You left the project');
    expect((await run(['test', 'list'], viewer)).code).to.equal(2);
  });

  it('sets up, and signs in with the first account', async () => {
    const { MONGODB_URL, RUNHOOK_SECRET_KEYS } = stack.workerEnv as Record<string, string>;
    const server = { MONGODB_URL: MONGODB_URL!, RUNHOOK_SECRET_KEYS: RUNHOOK_SECRET_KEYS! };
    await stack.collections.users.deleteMany({});
    const account = { RUNHOOK_ADMIN_EMAIL: 'ada@example.test', RUNHOOK_ADMIN_PASSWORD: 'a long password of hers' };
    const setUp = await run(['setup'], { ...server, ...account, TEMPORAL_ADDRESS: stack.temporalAddress });
    expect(setUp.code, setUp.err).to.equal(0);
    expect(setUp.out).to.include('ada@example.test').and.not.include(account.RUNHOOK_ADMIN_PASSWORD);
    expect((await run(['secrets', 'rotate'], server)).code).to.equal(0);

    const home = join(stack.folder, 'home');
    const here = { HOME: home, RUNHOOK_URL: '', RUNHOOK_API_TOKEN: '', RUNHOOK_PROJECT: 'demo' };
    const input = `${account.RUNHOOK_ADMIN_PASSWORD}\n`;
    const signIn = ['login', '--url', stack.baseUrl, '--email', account.RUNHOOK_ADMIN_EMAIL];
    const wrong = await run(signIn, here, 'not the password\n');
    expect(wrong.code).to.equal(2);
    const signedIn = await run(signIn, here, input);
    expect(signedIn.code, signedIn.err).to.equal(0);
    expect(signedIn.out).to.include('as ada@example.test');
    expect((await run(['test', 'run', 'Good'], here)).code).to.equal(0);
    const personal = await run(['token', 'list', '--type', 'personal'], here, `ada@example.test\n${input}`);
    expect(personal.out, personal.err).to.match(/personal +\S+ +live .*runhook on /);
  });

  it('passes its own checks with doctor, and reports what is wrong', async () => {
    const env = {
      MONGODB_URL: stack.workerEnv.MONGODB_URL!,
      TEMPORAL_ADDRESS: stack.temporalAddress,
      RUNHOOK_SECRET_KEYS: stack.workerEnv.RUNHOOK_SECRET_KEYS!,
      RUNHOOK_OPS_URL: stack.opsUrl,
    };
    const well = await run(['doctor', '--json'], env);
    const checks = JSON.parse(well.out) as { name: string; level: string; message: string }[];
    expect(checks.filter(({ level }) => level === 'fail')).to.deep.equal([]);
    expect(well.code).to.equal(0);
    expect(checks.map(({ name }) => name)).to.include.members(['MongoDB', 'Indexes', 'Stored secrets', 'Schedules']);
    const otherKey = Buffer.alloc(32, 7).toString('base64');
    const wrong = await run(['doctor'], { ...env, RUNHOOK_SECRET_KEYS: otherKey, TEMPORAL_ADDRESS: '127.0.0.1:1' });
    expect(wrong.code).to.equal(1);
    expect(wrong.out)
      .to.match(/fail +Stored secrets: .*\n +→ Add the key/)
      .and.match(/fail +Temporal: not responding/);
  });
});
