import { expect } from 'chai';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accessTo, wantedTree } from '../../../activities/sources/repository.js';

describe('the way to a repository', () => {
  let folder: string;
  before(() => (folder = mkdtempSync(join(tmpdir(), "runhook it's "))));
  after(() => rmSync(folder, { recursive: true }));

  const variables = { TOKEN: 'p@ss/w:%41', REPOSITORY: 'https://ci:a%40b@host.test/shop.git', KEY: 'k' };
  const wanted = (url: string) => wantedTree({ url }, variables, ['https', 'ssh']);
  const access = (url: string, given = {}) => accessTo(wanted(url), given, { folder, knownHosts: '/work/known-hosts' });

  it('takes user and password out of the address, whatever they hold', () => {
    const url = 'https://host.test/shop.git';
    expect(wanted('https://ci:{{TOKEN}}@host.test/shop.git')).to.deep.include({
      url,
      credentials: { user: 'ci', password: 'p@ss/w:%41' },
    });
    expect(wanted('{{ REPOSITORY }}')).to.deep.include({ url, credentials: { user: 'ci', password: 'a@b' } });
    expect(wanted(url)).to.deep.equal({ url, protocol: 'https' });
  });

  it('gives a password to the host of the address only, and a token alone a user', async () => {
    const { settings, env } = await access('https://{{TOKEN}}@host.test:8443/shop.git');
    expect(settings.map(([name]) => name)).to.deep.equal(['credential.https://host.test:8443.helper']);
    expect(JSON.stringify(settings)).not.to.include('p@ss');
    expect(env).to.deep.equal({ RUNHOOK_GIT_USER: 'x-access-token', RUNHOOK_GIT_PASSWORD: 'p@ss/w:%41' });
  });

  it('gives ssh a key in a file that only its owner can read, and never asks', async () => {
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
});
