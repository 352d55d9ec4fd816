import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { cli, newHome, type InvocationOptions } from '#test/support/cli/cli.js';
import { stubApi, type StubApi } from '#test/support/servers/stub-api.js';

const DAY_MS = 86_400_000;

describe('the runhook command', function () {
  this.timeout(20_000);
  let api: StubApi;
  beforeEach(async () => {
    api = await stubApi();
  });
  afterEach(() => api.stop());

  const run = (args: string[], more: InvocationOptions = {}) =>
    cli(args, { ...more, env: { RUNHOOK_URL: api.url, RUNHOOK_API_TOKEN: api.token, ...more.env } });

  describe('login and config', () => {
    const configOf = (home: string) => join(home, '.config', 'runhook', 'config.json');

    it('saves a valid token readable only by its owner, and never shows it in full', async () => {
      const HOME = newHome();
      const { code, out, err } = await cli(['login'], { env: { HOME }, stdin: `${api.url}/\n${api.token}\n` });
      expect(code, err).to.equal(0);
      expect(out).to.equal(`Signed in to ${api.url} as ada@example.test (read, run, edit).\n`);
      expect((await stat(configOf(HOME))).mode & 0o777).to.equal(0o600);
      expect(JSON.parse(await readFile(configOf(HOME), 'utf8'))).to.deep.equal({
        url: api.url,
        token: api.token,
        tokenUrl: api.url,
      });
      for (const args of [['config', 'list'], ['config', 'get', 'token'], ['config', 'list', '--json'], ['doctor']]) {
        const shown = await cli(args, { env: { HOME } });
        expect(shown.out + shown.err, args.join(' ')).not.to.include(api.token);
      }
      expect((await cli(['config', 'get', 'token'], { env: { HOME } })).out).to.match(/^rhat_...…....\n$/);
      expect((await cli(['config', 'get', 'url'], { env: { HOME } })).out).to.equal(`${api.url}\n`);
      expect((await cli(['test', 'list'], { env: { HOME } })).code).to.equal(0);
    });

    it('creates a personal token with email and password, and signs out', async () => {
      const HOME = newHome();
      const stdin = `\n${'ada@example.test'}\n${api.password}\n`;
      const { code, err, out } = await cli(['login', '--url', api.url], { env: { HOME }, stdin });
      expect(code, err).to.equal(0);
      expect(out + err)
        .not.to.include(api.password)
        .and.not.include(api.token);
      expect(JSON.parse(await readFile(configOf(HOME), 'utf8'))).to.include({ token: api.token });
      const { name, scopes, expiresAt } = api.callsTo('POST', /\/me\/tokens/)[0]!.json();
      expect(name).to.match(/^runhook on /);
      expect(scopes).to.deep.equal(['read', 'run', 'edit']);
      expect(Date.parse(String(expiresAt)) - Date.now()).to.be.within(89 * DAY_MS, 90 * DAY_MS);
      const forever = ['login', '--url', api.url, '--expires', 'never'];
      expect((await cli(forever, { env: { HOME }, stdin })).code).to.equal(0);
      expect(api.callsTo('POST', /\/me\/tokens/)[1]!.json()).not.to.have.property('expiresAt');
      expect((await cli([...forever.slice(0, -1), 'soon'], { env: { HOME }, stdin })).err).to.include('--expires');
      expect(api.callsTo('POST', /sign-out/)).to.have.length(2);
    });

    it('sends a stored token only to the server that issued it', async () => {
      const HOME = newHome();
      const other = await stubApi();
      try {
        other.token = api.token;
        await cli(['login', '--url', api.url, '--with-token'], { env: { HOME }, stdin: api.token });
        const elsewhere: [string[], Record<string, string>][] = [
          [['test', 'list', '--url', other.url], {}],
          [['test', 'list'], { RUNHOOK_URL: other.url }],
        ];
        for (const [args, env] of elsewhere) {
          const { code, err } = await cli(args, { env: { HOME, ...env } });
          expect(code).to.equal(2);
          expect(err).to.include(`not signed in to ${other.url}`).and.to.include(api.url);
        }
        await cli(['config', 'set', 'url', other.url], { env: { HOME } });
        expect((await cli(['test', 'list'], { env: { HOME } })).code).to.equal(2);
        // As written by an earlier version.
        await writeFile(configOf(HOME), JSON.stringify({ url: api.url, token: api.token }));
        expect((await cli(['test', 'list'], { env: { HOME } })).code).to.equal(0);
        await cli(['config', 'set', 'url', other.url], { env: { HOME } });
        expect((await cli(['test', 'list'], { env: { HOME } })).code).to.equal(2);
        expect(other.calls).to.deep.equal([]);

        const env = { HOME, RUNHOOK_URL: other.url, RUNHOOK_API_TOKEN: api.token };
        expect((await cli(['test', 'list'], { env })).code, 'a token of the environment goes where it says').to.equal(
          0,
        );
        await cli(['config', 'set', 'url', `${api.url}/`], { env: { HOME } });
        expect((await cli(['test', 'list'], { env: { HOME } })).code, 'back at its server').to.equal(0);
      } finally {
        await other.stop();
      }
    });

    it('does not follow redirects with the token', async () => {
      api.faults = [{ path: /projects/, fault: { status: 302, headers: { location: 'http://127.0.0.1:9/' } } }];
      const { code, err } = await run(['test', 'list']);
      expect(code).to.equal(2);
      expect(err).to.include('redirects to http://127.0.0.1:9/');
    });

    it('saves nothing when the server rejects the token', async () => {
      const HOME = newHome();
      for (const stdin of [`ada@example.test\nwrong\n`]) {
        const { code } = await cli(['login', '--url', api.url], { env: { HOME }, stdin: `\n${stdin}` });
        expect(code).to.equal(2);
      }
      const other = await cli(['login', '--url', api.url, '--with-token'], { env: { HOME }, stdin: 'rhat_wrong' });
      expect(other.code).to.equal(2);
      expect(await stat(configOf(HOME)).catch((error) => error.code)).to.equal('ENOENT');
    });

    it('distinguishes a webhook token, a broken file and an unknown key', async () => {
      const HOME = newHome();
      const webhook = await cli(['config', 'set', 'token', 'rhwh_abc'], { env: { HOME } });
      expect(webhook).to.include({ code: 2 });
      expect(webhook.err).to.include('webhook token').and.not.include('rhwh_abc');
      expect((await cli(['config', 'set', 'nope', 'x'], { env: { HOME } })).err).to.include('url, token, project');
      await cli(['config', 'set', 'project', 'demo-shop'], { env: { HOME } });
      await cli(['config', 'set', 'project', ''], { env: { HOME } });
      expect((await cli(['config', 'list'], { env: { HOME } })).out).to.include('project=\n');
      await writeFile(configOf(HOME), '{');
      expect((await cli(['test', 'list'], { env: { HOME } })).err).to.include('Cannot read');
    });
  });

  it('lists tests and suites as a table and as JSON', async () => {
    const { out } = await run(['test', 'list']);
    expect(out)
      .to.match(/^NAME +ID +MODIFIED +POOL\n/)
      .and.match(/Checkout works +[0-9a-f-]{36} +2026-08-02 10:00:00Z +default\n/);
    // The bell character is removed.
    expect(out)
      .to.match(/<b>&" +odd/)
      .and.not.include('\u0007');
    expect(
      JSON.parse((await run(['suite', 'list', '--json'])).out).map((one: { name: string }) => one.name),
    ).to.deep.equal(['Smoke', 'Nightly']);
  });

  it('reads all pages through the configured URL', async () => {
    for (let index = 0; index < 1200; index++) api.tests[`test ${index}`] = randomUUID();
    expect(JSON.parse((await run(['test', 'list', '--json'])).out)).to.have.length(1203);
    expect(api.callsTo('GET', /\/tests\//)).to.have.length(3);
  });

  it('lists all tests of a suite run with more than the first response contains', async () => {
    api.next = { script: ['passed'], tests: Array.from({ length: 1200 }, (_, index) => [`test ${index}`, 'passed']) };
    const { code, out, err } = await run(['suite', 'run', 'Smoke', '--json']);
    expect(code).to.equal(0);
    expect(JSON.parse(out).testRuns).to.have.length(1200);
    expect(err).to.include('[1200/1200] passed');
  });

  it('lists, shows, stops and reruns runs', async () => {
    api.next = { script: ['failed'], tests: [['Checkout works', 'failed']], log: ['a', 'b'] };
    await run(['suite', 'run', 'Smoke']);
    const [suiteRun, testRun] = [...api.runs.values()];
    expect((await run(['run', 'list', '--status', 'failed', '--since', '2h'])).out).to.match(/failed +suite .*Smoke/);
    const listed = api.callsTo('GET', /\/runs\/?$/)[0]!.query;
    expect(listed.get('status')).to.equal('failed');
    expect(Date.now() - Date.parse(listed.get('since')!)).to.be.within(7_200_000, 7_260_000);
    expect((await run(['run', 'show', suiteRun!.id])).out).to.match(/^Run +[0-9a-f-]+\nSuite +Smoke\nStatus +failed/);
    expect((await run(['run', 'logs', testRun!.id])).out).to.equal('a\nb\n');
    expect((await run(['run', 'logs', suiteRun!.id])).code).to.equal(2);
    expect((await run(['run', 'watch', suiteRun!.id])).code).to.equal(1);
    const again = await run(['run', 'rerun', suiteRun!.id, '--failed']);
    expect(again.out).to.match(/^suiteRunId: /);
    expect(again.out).not.to.include(suiteRun!.id);
    expect((await run(['run', 'stop', testRun!.id])).out).to.include('Stopping ');
    expect((await run(['run', 'show', 'x'])).code).to.equal(2);
    expect((await run(['run', 'list', '--status', 'green'])).err).to.include('Unknown status "green"');
  });

  it('applies a project file with its folder, and shows the changes in color', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'runhook-apply-'));
    await writeFile(join(folder, 'p.yaml'), 'project: Demo shop\ntests: []\n');
    const { code, out, err } = await run(['apply', 'p.yaml', '--dry-run'], { cwd: folder, env: { FORCE_COLOR: '1' } });
    expect(code, err).to.equal(0);
    const [call] = api.callsTo('POST', /import/);
    expect(Object.fromEntries(call!.query)).to.deep.equal({ dryRun: 'true', folder });
    expect(call!.headers['content-type']).to.equal('application/yaml');
    expect(call!.body).to.equal('project: Demo shop\ntests: []\n');
    expect(out)
      .to.include('\u001b[32m+ test New\u001b[39m')
      .and.to.include('\u001b[31m- test Old (archived)\u001b[39m');
    expect(out).to.include('~ suite Smoke (tests)').and.to.include('Dry run');
    expect((await run(['apply', 'p.yaml'], { cwd: folder })).out).not.to.include('\u001b');
    expect((await run(['apply', 'gone.yaml'], { cwd: folder })).code).to.equal(2);
    expect((await run(['export'])).out).to.equal('project: Demo shop\n');
    expect(JSON.parse((await run(['export', '--json'])).out)).to.deep.equal({ project: 'Demo shop' });
  });

  it('lists tokens without their values, and creates, rotates and revokes them', async () => {
    const listed = await run(['token', 'list']);
    expect(listed.out)
      .to.match(/webhook +1 +live/)
      .and.match(/project +[0-9a-f-]{36} +expired .* CI: run/);
    const asJson = await run(['token', 'list', '--json']);
    expect(listed.out + asJson.out).not.to.match(/rhwh_|rhat_/);
    const made = await run(['token', 'create', 'CI', '--scope', 'run', '--expires', '30d']);
    expect(made.out).to.equal(`${api.token}\n`);
    const { scopes, expiresAt } = api.callsTo('POST', /\/tokens\/?$/)[0]!.json() as {
      scopes: string[];
      expiresAt: string;
    };
    expect(scopes).to.deep.equal(['run']);
    expect(Date.parse(expiresAt) - Date.now()).to.be.within(30 * 86_400_000 - 60_000, 30 * 86_400_000);
    await run(['token', 'rotate', '--keep-old', '2h']);
    expect(api.callsTo('POST', /rotate/)[0]!.json()).to.deep.equal({ keepOldForHours: 2 });
    expect((await run(['token', 'revoke', '2', '--type', 'webhook'])).code).to.equal(0);
    expect((await run(['token', 'revoke', 'CI', '--type', 'project'])).code).to.equal(0);
    expect(api.callsTo('DELETE', /\/tokens\//)).to.have.length(1);
    expect((await run(['token', 'revoke', 'Other', '--type', 'project'])).code).to.equal(2);
  });

  it('manages tokens with a sign-in if the token lacks the scope, and explains what to do in a script', async () => {
    const refuse = () => {
      const body = { message: 'This API token lacks the scope "admin".', code: 'scope_missing' };
      api.faults = [{ path: /\/tokens\/?$/, fault: { status: 403, body: JSON.stringify(body) } }];
    };
    refuse();
    const script = await run(['token', 'create', 'CI']);
    expect(script.code).to.equal(2);
    expect(script.err).to.include('lacks the scope').and.to.include('--type personal --scope admin');
    refuse();
    const stdin = `ada@example.test\n${api.password}\n`;
    const person = await run(['token', 'create', 'CI'], { isTTY: true, stdin });
    expect(person.code, person.err).to.equal(0);
    expect(api.callsTo('POST', /\/tokens\/?$/).at(-1)!.headers.cookie).to.equal('runhook_session=rhse_x');
    expect(api.callsTo('POST', /sign-out/)).to.have.length(1);
  });

  describe('project leave', () => {
    const MEMBERSHIP = /^\/projects\/[0-9a-f-]{36}\/members\/me\/$/;
    const leaving = () => api.callsTo('DELETE', MEMBERSHIP);

    it('leaves the given project, and keeps your API tokens only with --keep-tokens', async () => {
      api.projects = [{ id: randomUUID(), name: 'Other', slug: 'other' }, api.project];
      expect((await run(['project', 'leave'])).err).to.include('You have several projects.');
      const left = await run(['project', 'leave', '-p', 'demo-shop']);
      expect(left.code, left.err).to.equal(0);
      expect(left.err).to.equal('You left the project "Demo shop".\n');
      const asJson = await run(['project', 'leave', '-p', 'demo-shop', '--keep-tokens', '--json']);
      expect(JSON.parse(asJson.out)).to.deep.equal({ projectId: api.project.id, left: true });
      expect(leaving().map(({ path, query }) => [path, query.get('revokeTokens')])).to.deep.equal([
        [`/projects/${api.project.id}/members/me/`, 'true'],
        [`/projects/${api.project.id}/members/me/`, 'false'],
      ]);
    });

    it('asks for confirmation on a terminal, and for a sign-in if the token lacks the scope', async () => {
      const no = await run(['project', 'leave'], { isTTY: true, stdin: 'n\n' });
      expect(no.code).to.equal(2);
      expect(no.err).to.include('Leave the project "Demo shop"?').and.to.include('you are still a member.');
      expect(leaving()).to.deep.equal([]);
      const body = { message: 'This API token lacks the scope "admin".', code: 'scope_missing' };
      api.faults = [{ path: MEMBERSHIP, fault: { status: 403, body: JSON.stringify(body) } }];
      const stdin = `y\nada@example.test\n${api.password}\n`;
      const yes = await run(['project', 'leave'], { isTTY: true, stdin });
      expect(yes.code, yes.err).to.equal(0);
      expect(yes.err).to.include('Leaving a project requires you to sign in.').and.to.include('You left');
      expect(leaving().at(-1)!.headers.cookie).to.equal('runhook_session=rhse_x');
    });

    it('succeeds when the membership no longer exists, and explains the error to the last owner', async () => {
      api.faults = [{ path: MEMBERSHIP, fault: { status: 404 } }];
      const gone = await run(['project', 'leave']);
      expect(gone.code).to.equal(0);
      expect(gone.err).to.include('You are not a member of the project "Demo shop".');
      const body = {
        message: 'A project needs at least one owner. Make someone else an owner first.',
        code: 'last_owner',
      };
      api.faults = [{ path: MEMBERSHIP, fault: { status: 409, body: JSON.stringify(body) } }];
      const last = await run(['project', 'leave']);
      expect(last.code).to.equal(2);
      expect(last.err).to.include('Make someone else an owner first.');
    });
  });

  it('rotates with an idempotency key, so that a lost response does not create a second token', async () => {
    api.faults = [{ path: /rotate/, fault: 'cut after' }];
    expect((await run(['token', 'rotate'])).code).to.equal(0);
    const keys = api.callsTo('POST', /rotate/).map(({ headers }) => headers['idempotency-key']);
    expect(keys).to.have.length(2);
    expect(keys[0])
      .to.equal(keys[1])
      .and.match(/^[0-9a-f-]{36}$/);
  });

  it('applies the color switches in order of precedence', async () => {
    const colors = async (args: string[], env: Record<string, string>, isTTY = false) =>
      (await run(['run', 'list', ...args], { env, isTTY })).out.includes('\u001b[');
    await run(['test', 'run', 'Checkout works', '--no-wait']);
    expect(await colors([], {})).to.equal(false);
    expect(await colors([], {}, true)).to.equal(true);
    expect(await colors([], { NO_COLOR: '1' }, true)).to.equal(false);
    expect(await colors([], { FORCE_COLOR: '1', NO_COLOR: '1' })).to.equal(true);
    expect(await colors(['--no-color'], { FORCE_COLOR: '1' })).to.equal(false);
  });

  it('calls the server parts for setup and doctor; doctor fails if their checks fail', async () => {
    const given: object[] = [];
    const setUp = async (options: object) => void given.push(options);
    expect((await run(['setup', '--project', 'a.yaml', '--project', 'b.yaml'], { parts: { setUp } })).code).to.equal(0);
    expect((await run(['setup', '--rebind-temporal'], { parts: { setUp } })).code).to.equal(0);
    expect(given).to.deep.equal([
      { projectFiles: ['a.yaml', 'b.yaml'], rebindTemporal: false },
      { projectFiles: [], rebindTemporal: true },
    ]);

    const good = await run(['doctor']);
    expect(good.code, good.out).to.equal(0);
    expect(good.out)
      .to.match(/^ok +Node: /)
      .and.match(/ok +Server: .*\nok +Token: personal token of ada@example.test/);
    const checkServerParts = async () => [
      { level: 'fail' as const, name: 'MongoDB', message: 'unavailable', remedy: 'start it' },
    ];
    const bad = await run(['doctor'], { parts: { checkServerParts } });
    expect(bad.code).to.equal(1);
    expect(bad.out).to.include('fail  MongoDB: unavailable\n      → start it\n');
    expect((await cli(['doctor'], { env: { RUNHOOK_URL: api.url } })).out).to.match(/fail +Token: not set/);
    expect((await run(['doctor'], { env: { RUNHOOK_URL: 'http://127.0.0.1:1' } })).out).to.match(
      /fail +Server: .*is not responding/,
    );
  });

  it('reports a redirect instead of sending the token there', async () => {
    api.faults = [{ path: /projects/, fault: { status: 301, headers: { location: 'https://new.example' } } }];
    const { code, err } = await run(['test', 'list']);
    expect(code).to.equal(2);
    expect(err).to.include('redirects to https://new.example');
  });

  it('reports a URL that is not a Runhook server', async () => {
    api.faults = [
      { path: /projects/, fault: { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>' } },
    ];
    expect((await run(['test', 'list'])).err).to.include('text/html instead of JSON');
  });
});
