import { spawnSync } from 'node:child_process';
import { expect } from 'chai';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createNetworkGuard } from '#activities/network/network-guard.js';
import { openGitNetwork, type GitNetwork } from '#activities/sources/git-network.js';
import { accessTo, requestedTree } from '#activities/sources/repository.js';

describe('accessTo', () => {
  let folder: string;
  let network: GitNetwork;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "runhook it's 5% "));
    network = await openGitNetwork(createNetworkGuard({ privateNetworks: 'allow' }), folder);
  });
  after(async () => {
    await network?.close();
    rmSync(folder, { recursive: true });
  });

  const variables = { TOKEN: 'p@ss/w:%41', REPOSITORY: 'https://ci:a%40b@host.test/shop.git', KEY: 'k' };
  const requested = (url: string) => requestedTree({ url }, variables, ['https', 'ssh']);
  const access = (url: string, given = {}, workerSshKeys = false) =>
    accessTo(requested(url), given, {
      folder,
      knownHosts: '/work/known-hosts',
      workerSshKeys,
      network,
      signal: new AbortController().signal,
    });

  it('extracts any user and password from the URL', () => {
    const url = 'https://host.test/shop.git';
    expect(requested('https://ci:{{TOKEN}}@host.test/shop.git')).to.deep.include({
      url,
      credentials: { user: 'ci', password: 'p@ss/w:%41' },
    });
    expect(requested('{{ REPOSITORY }}')).to.deep.include({ url, credentials: { user: 'ci', password: 'a@b' } });
    expect(requested(url)).to.deep.equal({ url, protocol: 'https' });
  });

  it("passes a password only to the URL's host, and a token with a user name", async () => {
    const { settings, env } = await access('https://{{TOKEN}}@host.test:8443/shop.git');
    expect(settings.map(([name]) => name)).to.deep.equal(['credential.https://host.test:8443.helper']);
    expect(JSON.stringify(settings)).not.to.include('p@ss');
    expect(env).to.deep.equal({ RUNHOOK_GIT_USER: 'x-access-token', RUNHOOK_GIT_PASSWORD: 'p@ss/w:%41' });
  });

  it('passes an SSH key to ssh in a file that only its owner can read, without prompts', async () => {
    const { env } = await access('git@host.test:shop.git', { GIT_SSH_KEY: 'canary\n' });
    const command = env.GIT_SSH_COMMAND!;
    const file = join(folder, 'ssh-key');
    expect(readFileSync(file, 'utf8')).to.equal('canary\n');
    expect(statSync(file).mode & 0o777).to.equal(0o600);
    expect(command).to.include('BatchMode=yes').and.include('IdentitiesOnly=yes').and.not.include('canary');
    expect(command).to.include(`-i '${file.replace("'", "'\\''")}'`);
    expect(command).to.include("UserKnownHostsFile='/work/known-hosts'").and.include('accept-new');
    const known = await access('git@host.test:shop.git', { GIT_SSH_KNOWN_HOSTS: 'host.test ssh-ed25519 AAAA' });
    expect(known.env.GIT_SSH_COMMAND).to.include('StrictHostKeyChecking=yes');
  });

  describe('keys, agent and settings of the worker’s user', () => {
    const before = process.env.SSH_AUTH_SOCK;
    afterEach(() => {
      if (before === undefined) delete process.env.SSH_AUTH_SOCK;
      else process.env.SSH_AUTH_SOCK = before;
    });

    /** The command of git, on a worker whose user has an agent. */
    async function commandWith(given: object, allowed = false): Promise<string> {
      process.env.SSH_AUTH_SOCK = '/run/agent-of-the-worker';
      const { env } = await access('git@host.test:shop.git', given, allowed);
      expect(env.SSH_AUTH_SOCK).to.equal(allowed ? '/run/agent-of-the-worker' : undefined);
      return env.GIT_SSH_COMMAND!;
    }

    it('are not used by default', async () => {
      const command = await commandWith({});
      for (const option of ['-F /dev/null', 'IdentityAgent=none', 'IdentitiesOnly=yes', 'IdentityFile=none'])
        expect(command).to.include(option);
      const withKey = await commandWith({ GIT_SSH_KEY: 'key' });
      expect(withKey).to.include('-F /dev/null').and.include('IdentityAgent=none').and.include('-i ');
      expect(withKey).not.to.include('IdentityFile=none');
    });

    it('are used if the worker allows it', async () => {
      const command = await commandWith({}, true);
      expect(command).not.to.include('/dev/null').and.not.to.include('Identit');
    });

    /** ssh's interpretation of the command, without a connection. */
    function settingsOf(command: string): string {
      const { stdout, stderr } = spawnSync('sh', ['-c', `${command} -G git@host.test`], { encoding: 'utf8' });
      expect(stdout, stderr).to.include('hostname host.test');
      return stdout;
    }

    it("still connect through the guard, with the user's settings", async function () {
      if (spawnSync('ssh', ['-V']).status !== 0) this.skip();
      const tunnel = join(folder, 'git-tunnel').replace("'", "'\\''").replaceAll('%', '%%');
      for (const isAllowed of [false, true])
        expect(settingsOf(await commandWith({}, isAllowed))).to.include(`proxycommand '${tunnel}' %h %p\n`);
    });

    it('by default leave ssh only the test’s identity', async function () {
      const { status } = spawnSync('ssh', ['-V']);
      if (status !== 0) this.skip();
      const identities = (command: string) => {
        return settingsOf(command)
          .split('\n')
          .filter((line) => /^identity(file|agent) /.test(line));
      };
      expect(identities(await commandWith({}))).to.deep.equal(['identityagent none', 'identityfile none']);
      const own = identities(await commandWith({ GIT_SSH_KEY: 'key' }));
      expect(own).to.deep.equal(['identityagent none', `identityfile ${join(folder, 'ssh-key')}`]);
    });
  });
});
