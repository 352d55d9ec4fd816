import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { newHome } from '#test/support/cli/cli.js';
import { eventually } from '#test/support/eventually.js';
import { stubApi, type StubApi } from '#test/support/servers/stub-api.js';

const PROGRAM = fileURLToPath(new URL('../../../dist/src/bin/runhook.js', import.meta.url));
const CTRL_C = '\x03';

/** In a terminal of its own, provided by util-linux's `script`. */
describe('the runhook command at a terminal', function () {
  this.timeout(60_000);
  let api: StubApi;

  before(async function () {
    if (spawnSync('script', ['--version']).status !== 0) this.skip();
    api = await stubApi();
  });
  after(() => api?.stop());

  function start(args: string, env: Record<string, string> = {}) {
    const child = spawn('script', ['-qefc', `${process.execPath} ${PROGRAM} ${args}`, '/dev/null'], {
      env: { PATH: process.env.PATH, HOME: newHome(), TERM: 'xterm', ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const said = { screen: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (said.screen += text));
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    const shows = (text: string) => eventually(() => (said.screen.includes(text) ? true : undefined), 20_000);
    return { said, ended, shows, type: (text: string) => void child.stdin.write(text) };
  }

  const signedIn = () => ({ RUNHOOK_URL: api.url, RUNHOOK_API_TOKEN: api.token });

  it('prompts on Ctrl-C, and stops the run if confirmed', async () => {
    api.next = { script: ['running'] };
    const command = start("test run 'Checkout works'", signedIn());
    await command.shows('Checkout works: running');
    command.type(CTRL_C);
    await command.shows('Stop the run as well?');
    command.type('y\r');
    expect(await command.ended, command.said.screen).to.equal(130);
    expect(api.callsTo('POST', /\/stop\/$/)).to.have.length(1);
  });

  it('exits on a second Ctrl-C, and leaves the run alone', async () => {
    api.calls.length = 0;
    const command = start("test run 'Checkout works'", signedIn());
    await command.shows('Checkout works: running');
    command.type(CTRL_C);
    await command.shows('Stop the run as well?');
    command.type(CTRL_C);
    expect(await command.ended, command.said.screen).to.equal(130);
    expect(api.callsTo('POST', /\/stop\/$/)).to.have.length(0);
  });

  it('does not echo a token or a password, and exits', async () => {
    const byToken = start(`login --url ${api.url}`);
    await byToken.shows('API token');
    byToken.type(`${api.token}\r`);
    expect(await byToken.ended, byToken.said.screen).to.equal(0);
    expect(byToken.said.screen).to.include('Signed in').and.not.include(api.token);

    const byPassword = start(`login --url ${api.url} --email ada@example.test`);
    await byPassword.shows('Password: ');
    byPassword.type(`${api.password}\r`);
    expect(await byPassword.ended, byPassword.said.screen).to.equal(0);
    expect(byPassword.said.screen).to.include('Signed in').and.not.include(api.password);
  });
});
