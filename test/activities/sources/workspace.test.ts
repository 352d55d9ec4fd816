import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomId } from '#src/domain/ids.js';
import { eventually, processesWith } from '#test/fixtures/commands/support.js';
import { makeGitRepository, type Files, type GitRepository } from '#test/support/git/git-repository.js';
import { startGitServer, type GitServer } from '#test/support/git/git-server.js';
import { startSources, verdictOf, workspaceOf, type TestSources } from './sources-support.js';

describe('createWorkspaces', () => {
  let sources: TestSources;
  let shop: GitRepository;

  before(async () => {
    sources = await startSources();
    shop = makeGitRepository(join(sources.folder, 'repositories', 'shop'));
  });
  after(() => sources?.close());
  afterEach(() => {
    expect(sources.left(), 'processes left').to.deep.equal([]);
    expect(sources.attempts(), 'folders left').to.deep.equal([]);
  });

  /** Reads a file of the tree, and removes the tree. */
  async function read(ref: string | undefined, file = 'version', more: Parameters<TestSources['open']>[1] = {}) {
    const workspace = workspaceOf(await sources.open({ git: { url: shop.url, ...(ref ? { ref } : {}) } }, more));
    const text = readFileSync(join(workspace.folder, file), 'utf8');
    await workspace.close();
    return { text, commit: workspace.commit };
  }

  describe('the commit', () => {
    it('is the default branch’s, a branch’s, a tag’s, or given as a full or short id', async () => {
      const first = shop.commit({ version: '1' });
      shop.git('tag', 'v1');
      shop.git('tag', '--annotate', 'v1-told', '--message', 'One');
      const second = shop.commit({ version: '2' });
      shop.git('switch', '--quiet', '--create', 'feature/list');
      const third = shop.commit({ version: '3' });
      shop.git('switch', '--quiet', 'main');

      expect(await read(undefined)).to.deep.equal({ text: '2', commit: second });
      expect(await read('main')).to.deep.equal({ text: '2', commit: second });
      expect(await read('feature/list')).to.deep.equal({ text: '3', commit: third });
      expect(await read('refs/heads/feature/list')).to.deep.equal({ text: '3', commit: third });
      expect(await read('v1')).to.deep.equal({ text: '1', commit: first });
      expect(await read('v1-told')).to.deep.equal({ text: '1', commit: first });
      expect(await read(third)).to.deep.equal({ text: '3', commit: third });
      expect(await read(first.slice(0, 9))).to.deep.equal({ text: '1', commit: first });
    });

    it('follows a branch, also after a force push', async () => {
      const before = shop.commit({ version: '4' });
      expect(await read('main')).to.deep.equal({ text: '4', commit: before });
      const after = shop.commit({ version: '5' });
      expect(await read('main')).to.deep.equal({ text: '5', commit: after });
      shop.git('reset', '--quiet', '--hard', before);
      const forced = shop.commit({ version: 'forced' });
      expect(await read('main')).to.deep.equal({ text: 'forced', commit: forced });
    });

    it('stays the same for all attempts of a run, and all tests of a suite run', async () => {
      const first = shop.commit({ version: '6' });
      const attempts = [
        { number: 1, delivery: 1, worker: 'w', startedAt: new Date(), verdict: { status: 'failed', commit: first } },
      ];
      const suiteRunId = randomId();
      await read('main', 'version', { run: { suiteRunId } });
      const moved = shop.commit({ version: '7' });
      expect((await read('main', 'version', { run: { attempts: attempts as never } })).text).to.equal('6');
      expect((await read('main', 'version', { run: { suiteRunId } })).text).to.equal('6');
      expect((await read('main', 'version', { run: { suiteRunId: randomId() } })).commit).to.equal(moved);
    });

    it('can be given by a variable', async () => {
      const commit = shop.commit({ 'parts/a/version': 'a' });
      const git = { url: '{{REPOSITORY}}', ref: '{{BRANCH}}', path: 'parts/{{PART}}' };
      const variables = { REPOSITORY: shop.url, BRANCH: 'main', PART: 'a' };
      const workspace = workspaceOf(await sources.open({ git }, { variables }));
      expect(workspace).to.include({ commit });
      expect(readdirSync(workspace.folder)).to.deep.equal(['version']);
      await workspace.close();
      expect(verdictOf(await sources.open({ git }))).to.include({ errorCode: 'VARIABLE_MISSING' });
    });
  });

  it('writes executables and links but no .git; each attempt has a tree of its own', async () => {
    shop.commit({ 'bin/run': { program: '#!/bin/sh\n' }, 'bin/again': { link: 'run' }, version: '8' });
    const open = async () => workspaceOf(await sources.open({ git: { url: shop.url } }));
    const [one, other] = await Promise.all([open(), open()]);
    expect(one.folder).not.to.equal(other.folder);
    execFileSync(join(one.folder, 'bin/again'));
    expect(existsSync(join(one.folder, '.git'))).to.equal(false);
    await one.close();
    expect(existsSync(one.folder)).to.equal(false);
    expect(readFileSync(join(other.folder, 'version'), 'utf8')).to.equal('8');
    await other.close();
  });

  describe('refuses', () => {
    const urls: [what: string, url: string, said: RegExp][] = [
      ['an option', '--upload-pack=touch /tmp/x', /spaces/],
      ['an option without spaces', '--upload-pack=id', /"-"/],
      ['a transport program', 'ext::sh', /remote helper/],
      ['another scheme', 'ftp://host/shop', /start with one of/],
      ['a scheme that the worker does not allow', 'git://host/shop', /RUNHOOK_GIT_PROTOCOLS/],
      ['ssh that the worker does not allow', 'git@host:shop.git', /RUNHOOK_GIT_PROTOCOLS/],
      ['a host that is an option of ssh', 'ssh://-oProxyCommand=id/shop', /host that starts/],
      ['a user that is an option of ssh', 'ssh://-oProxyCommand=id@host/shop', /host that starts/],
      ['a path', '/srv/shop', /URL of a repository/],
      ['a line break', 'http://host/a\nb', /control/],
    ];
    for (const [what, url, said] of urls)
      it(`${what} for a url`, async () => {
        const verdict = verdictOf(await sources.open({ git: { url: '{{URL}}' } }, { variables: { URL: url } }));
        expect(verdict).to.include({ status: 'error', errorCode: 'SOURCE_FAILED' });
        expect(verdict.errorMessage).to.match(said);
      });

    for (const ref of [
      '-f',
      '--upload-pack=id',
      'a:b',
      '+main',
      'a..b',
      'main~1',
      'x^{}',
      'a b',
      'a\u0001',
      '/a',
      'x.lock',
    ])
      it(`${JSON.stringify(ref)} for a ref`, async () => {
        const git = { url: shop.url, ref: '{{REF}}' };
        const verdict = verdictOf(await sources.open({ git }, { variables: { REF: ref } }));
        expect(verdict).to.include({ errorCode: 'SOURCE_FAILED' });
        expect(verdict.errorMessage).to.match(/git.ref|no branch/);
      });

    for (const path of ['../x', '/etc', 'a/../../x', '-x', '.git/hooks', 'no/such', 'version'])
      it(`${path} for a path`, async () => {
        const git = { url: shop.url, path: '{{PATH_IN}}' };
        const verdict = verdictOf(await sources.open({ git }, { variables: { PATH_IN: path } }));
        expect(verdict).to.include({ errorCode: 'SOURCE_FAILED' });
        expect(verdict.errorMessage).to.match(/git.path/);
      });

    const links: Record<string, Files> = {
      'an absolute link': { away: { link: '/etc/passwd' } },
      'a link that leads up and out': { 'a/b/away': { link: '../../../x' } },
      'a link that leads out by another one': { d: { link: '.' }, away: { link: 'd/../x' } },
    };
    for (const [what, files] of Object.entries(links))
      it(`${what} in the tree`, async () => {
        const linked = makeGitRepository(join(sources.folder, 'repositories', randomId()));
        linked.commit(files);
        const verdict = verdictOf(await sources.open({ git: { url: linked.url } }));
        expect(verdict).to.include({ status: 'error', errorCode: 'SOURCE_FAILED' });
        expect(verdict.errorMessage).to.match(/link ".*away" .*points outside the repository/);
      });
  });

  it('names a missing branch and its repository', async () => {
    const ref = verdictOf(await sources.open({ git: { url: shop.url, ref: 'no-such' } }));
    expect(ref.errorMessage).to.match(/no branch, tag or commit "no-such"/);
    const repository = verdictOf(await sources.open({ git: { url: `${shop.url}-gone` } }));
    expect(repository.errorMessage).to.match(/could not be fetched.*Git:.*Check git.url/);
    const commit = verdictOf(await sources.open({ git: { url: shop.url, ref: 'ab'.repeat(20) } }));
    expect(commit.errorMessage).to.match(/no commit abab/);
  });

  it('reports that git is not installed', async () => {
    const { PATH } = process.env;
    process.env.PATH = sources.folder;
    try {
      const verdict = verdictOf(await sources.open({ git: { url: shop.url } }));
      expect(verdict).to.include({ status: 'error', errorCode: 'SOURCE_FAILED' });
      expect(verdict.errorMessage).to.match(/git is not installed on this worker/);
    } finally {
      process.env.PATH = PATH;
    }
  });

  it('replaces a broken copy', async () => {
    shop.commit({ version: '9' });
    await read('main');
    const copies = join(sources.workFolder, 'repositories');
    for (const name of readdirSync(copies).filter((one) => !one.endsWith('.lock')))
      execFileSync('sh', ['-c', `rm -rf "$1"/objects/* && touch "$1/shallow.lock"`, 'sh', join(copies, name)]);
    shop.commit({ version: '10' });
    expect((await read('main')).text).to.equal('10');
  });

  describe('over http, with credentials', () => {
    const token = 'canary/with:odd@characters#%41';
    const login = `deploy:${token}`;
    let server: GitServer;
    before(async () => {
      server = await startGitServer(join(sources.folder, 'repositories'), login);
    });
    after(() => server.close());
    const url = () => `${server.url.replace('//', '//deploy:{{GIT_TOKEN}}@')}/shop/.git`;

    it('fetches with a variable as password, which is in no argument, file, log or message', async () => {
      shop.commit({ version: '11' });
      const seen = new Set<string>();
      server.hold(true);
      const opening = sources.open({ git: { url: url() } }, { variables: { GIT_TOKEN: token } });
      await eventually('a request', () => server.requests.length > 0);
      for (const pid of processesWith(sources.workerId))
        seen.add(readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' '));
      server.hold(false);
      const opened = await opening;
      const workspace = workspaceOf(opened);
      expect([...seen].join('\n'))
        .to.include('ls-remote')
        .and.not.include('canary');
      expect(opened.logged).to.include('http://127.0.0.1').and.not.include('canary');
      expect(() => execFileSync('grep', ['-r', 'canary', sources.workFolder])).to.throw();
      await workspace.close();
      expect(server.requests.join()).not.to.include('canary');
    });

    it('reports a wrong password without showing it', async () => {
      const wrong = verdictOf(
        await sources.open({ git: { url: url() } }, { variables: { GIT_TOKEN: 'canary-wrong' } }),
      );
      expect(wrong).to.include({ errorCode: 'SOURCE_FAILED' });
      expect(wrong.errorMessage)
        .to.match(/Authentication failed.*Check the credentials/)
        .and.not.include('canary');
      const none = verdictOf(await sources.open({ git: { url: `${server.url}/shop/.git` } }));
      expect(none.errorMessage).to.match(/Check the credentials/);
    });

    it('resolves a ref once for the tests of a suite run, and fetches a commit once', async () => {
      const commit = shop.commit({ version: '12' });
      server.requests.length = 0;
      const run = { suiteRunId: randomId() };
      const all = await Promise.all(
        Array.from({ length: 8 }, () =>
          sources.open({ git: { url: url(), ref: 'main' } }, { variables: { GIT_TOKEN: token }, run }),
        ),
      );
      for (const one of all) {
        expect(workspaceOf(one).commit).to.equal(commit);
        await workspaceOf(one).close();
      }
      const posts = server.requests.filter((request) => request.startsWith('POST'));
      // One for the refs (ls-remote), up to three for the fetch: refs, existing objects, files.
      expect(posts.length, server.requests.join('\n')).to.be.within(2, 4);
    });

    it('can be stopped while it fetches, and leaves nothing', async () => {
      server.hold(true);
      server.requests.length = 0;
      const stop = new AbortController();
      const opening = sources.open({ git: { url: url() } }, { variables: { GIT_TOKEN: token }, signal: stop.signal });
      await eventually('a request', () => server.requests.length > 0);
      const stoppedAt = performance.now();
      stop.abort();
      expect(verdictOf(await opening)).to.include({ status: 'stopped' });
      expect(performance.now() - stoppedAt).to.be.below(6000);
      expect(sources.left()).to.deep.equal([]);
      server.hold(false);
    });
  });

  it('does not reach refused private networks, nor bypass the guard by ssh', async () => {
    const guarded = await startSources(['https', 'ssh'], 'refuse');
    try {
      const local = verdictOf(await guarded.open({ git: { url: 'https://127.0.0.1:1/shop.git' } }));
      expect(local).to.include({ errorCode: 'SOURCE_FAILED' });
      expect(local.errorMessage).to.match(/RUNHOOK_PRIVATE_NETWORKS/);
      const ssh = verdictOf(await guarded.open({ git: { url: 'git@127.0.0.1:shop.git' } }));
      expect(ssh.errorMessage).to.match(/allows only https:\/\//);
    } finally {
      await guarded.close();
    }
  });
});
