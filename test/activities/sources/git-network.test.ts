import { spawn, type ChildProcess } from 'node:child_process';
import type { lookup as systemLookup } from 'node:dns';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { eventually } from '#test/support/eventually.js';
import { makeGitRepository, type GitRepository } from '#test/support/git/git-repository.js';
import { startGitServer, type GitServer } from '#test/support/git/git-server.js';
import { startSources, verdictOf, workspaceOf, type TestSources } from './sources-support.js';

const REFUSED = /169\.254\.169\.254|fe80::1/;
const ADDRESSES: Record<string, string> = { 'metadata.test': '169.254.169.254', 'git.test': '127.0.0.1' };

/** Names that only the guard resolves: connections that bypass it fail. */
const resolve = ((host: string, _options: object, callback: (error: Error | null, found?: object) => void) => {
  const address = ADDRESSES[host];
  if (address) callback(null, [{ address, family: 4 }]);
  else callback(Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' }));
}) as unknown as typeof systemLookup;

describe('addresses that git connects to, with private networks allowed', () => {
  const PROTOCOLS = ['https', 'http', 'ssh', 'git'];
  let sources: TestSources;
  let shop: GitRepository;
  let server: GitServer;

  before(async () => {
    sources = await startSources(PROTOCOLS, 'allow', { resolve });
    shop = makeGitRepository(join(sources.folder, 'shop'));
    shop.commit({ version: '1' });
    server = await startGitServer(sources.folder);
  });
  after(async () => {
    await server?.close();
    await sources?.close();
  });

  const messageOf = async (url: string, from = sources) => {
    const verdict = verdictOf(await from.open({ git: { url } }));
    expect(verdict).to.include({ status: 'error', errorCode: 'SOURCE_FAILED' });
    return verdict.errorMessage;
  };
  /** A repository URL with a name that only the guard resolves. */
  const named = (url: string) => url.replace('127.0.0.1', 'git.test');

  for (const host of ['169.254.169.254', '[fe80::1]', 'metadata.test'])
    for (const url of [
      `http://${host}/shop.git`,
      `https://${host}/shop.git`,
      `ssh://git@${host}/shop.git`,
      `git@${host}:shop.git`,
      `git://${host}/shop.git`,
    ])
      it(`refuses ${url}`, async () => {
        expect(await messageOf(url))
          .to.match(/RUNHOOK_ALLOWED_NETWORKS/)
          .and.match(host === 'metadata.test' ? /metadata\.test/ : REFUSED);
      });

  it('refuses a redirect to a refused address', async () => {
    const redirecting: Server = createServer(({ url }, answer) => {
      answer.writeHead(302, { location: `http://169.254.169.254${url}` }).end();
    });
    await once(redirecting.listen(0, '127.0.0.1'), 'listening');
    try {
      const { port } = redirecting.address() as AddressInfo;
      expect(await messageOf(`http://127.0.0.1:${port}/shop.git`)).to.match(/RUNHOOK_ALLOWED_NETWORKS/);
    } finally {
      redirecting.close();
    }
  });

  it('allows listed addresses, and explains failed connections', async () => {
    const listed = await startSources(PROTOCOLS, 'allow', { resolve, allowed: ['fe80::1'] });
    try {
      // Without a zone, the system refuses it.
      for (const url of ['http://[fe80::1]:1/shop.git', 'https://[fe80::1]:1/shop.git', 'git://[fe80::1]:1/shop.git'])
        expect(await messageOf(url, listed), url)
          .to.match(/EINVAL/)
          .and.not.match(/RUNHOOK_ALLOWED_NETWORKS/);
      expect(await messageOf('http://nowhere.test/shop.git', listed))
        .to.match(/ENOTFOUND/)
        .and.match(/Check the host/);
    } finally {
      await listed.close();
    }
  });

  it('fetches by http from the checked address', async () => {
    const opened = workspaceOf(await sources.open({ git: { url: named(`${server.url}/shop/.git`) } }));
    await opened.close();
  });

  describe('on a worker with an HTTP proxy', () => {
    const before = { ...process.env };
    let asked: string[];
    let own: Server;
    beforeEach(async () => {
      asked = [];
      own = createServer(({ url = '' }, answer) => {
        asked.push(url);
        answer.writeHead(404).end();
      });
      await once(own.listen(0, '127.0.0.1'), 'listening');
      process.env.http_proxy = `http://127.0.0.1:${(own.address() as AddressInfo).port}`;
      process.env.no_proxy = '';
    });

    it('is stopped while a name server does not respond', async () => {
      const silent = await startSources(PROTOCOLS, 'allow', { resolve: (() => {}) as unknown as typeof systemLookup });
      try {
        const signal = AbortSignal.timeout(500);
        const opened = await silent.open({ git: { url: 'http://silent.test/shop.git' } }, { signal });
        expect(verdictOf(opened)).to.include({ status: 'stopped' });
        expect(silent.attempts()).to.deep.equal([]);
      } finally {
        await silent.close();
      }
    }).timeout(8000);
    afterEach(() => {
      own.close();
      for (const name of ['http_proxy', 'no_proxy'])
        if (before[name] === undefined) delete process.env[name];
        else process.env[name] = before[name];
    });

    it('uses the proxy, also for names that this machine cannot resolve', async () => {
      await messageOf('http://outside.test/shop.git');
      expect(asked.join()).to.match(/^http:\/\/outside\.test\/shop\.git\/info\/refs/);
    });

    it('still reaches no metadata service, and uses the guard for exempt hosts', async () => {
      for (const noProxy of ['', '*']) {
        process.env.no_proxy = noProxy;
        for (const host of ['169.254.169.254', 'metadata.test'])
          expect(await messageOf(`http://${host}/shop.git`)).to.match(/RUNHOOK_ALLOWED_NETWORKS/);
      }
      const opened = workspaceOf(await sources.open({ git: { url: named(`${server.url}/shop/.git`) } }));
      await opened.close();
      expect(asked).to.deep.equal([]);
    });
  });

  it('fetches by git:// from the checked address', async () => {
    const daemon = await startGitDaemon(sources.folder);
    try {
      const url = `git://git.test:${daemon.port}/shop/.git`;
      await eventually(async () => {
        const opened = await sources.open({ git: { url } });
        if ('status' in opened) return undefined;
        await opened.close();
        return true;
      });
    } finally {
      daemon.child.kill();
      await once(daemon.child, 'exit');
    }
  });

  it('connects by ssh to the checked address', async () => {
    const greeted: string[] = [];
    const fake = createTcpServer((socket: Socket) => {
      socket.on('error', () => {});
      socket.once('data', (data) => {
        greeted.push(data.toString());
        socket.end();
      });
    });
    await once(fake.listen(0, '127.0.0.1'), 'listening');
    try {
      await messageOf(`ssh://git@git.test:${(fake.address() as AddressInfo).port}/shop.git`);
      expect(greeted.join()).to.match(/^SSH-2\.0-/);
    } finally {
      fake.close();
    }
  });
});

/** Git's own server, on a free port. */
async function startGitDaemon(folder: string): Promise<{ port: number; child: ChildProcess }> {
  const probe = createTcpServer();
  await once(probe.listen(0, '127.0.0.1'), 'listening');
  const { port } = probe.address() as AddressInfo;
  await new Promise((done) => probe.close(done));
  const args = [
    'daemon',
    '--export-all',
    '--reuseaddr',
    '--listen=127.0.0.1',
    `--port=${port}`,
    `--base-path=${folder}`,
  ];
  return { port, child: spawn('git', [...args, folder], { stdio: 'ignore' }) };
}
