import { expect } from 'chai';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeGitRepository } from '#test/support/git/git-repository.js';
import { startSources, verdictOf, workspaceOf, type TestSources } from './sources-support.js';

describe('files of isolated attempts', () => {
  let sources: TestSources;

  before(async function () {
    this.timeout(120_000);
    sources = await startSources(['file'], 'allow', { isolated: true });
  });
  after(() => sources?.close());
  afterEach(() => {
    expect(sources.left(), 'processes left').to.deep.equal([]);
    expect(sources.attempts(), 'folders left').to.deep.equal([]);
  });

  const setup = (script: string) => ({ command: ['sh', '-c', script], key: [], keep: [], timeoutMs: 60_000 });

  it('are a tree that can be written, and a home folder that setup and test share', async () => {
    const shop = makeGitRepository(join(sources.folder, 'repositories', 'shop'));
    shop.commit({ version: '1' });
    const workspace = workspaceOf(
      await sources.open({ git: { url: shop.url }, setup: setup('cat version > built && touch ~/made $TMPDIR/made') }),
    );
    const { home, tmp, readable, writable } = workspace.sandbox!;
    expect(readFileSync(join(workspace.folder, 'built'), 'utf8')).to.equal('1');
    expect([home, tmp].map((folder) => existsSync(join(folder, 'made')))).to.deep.equal([true, true]);
    expect([readable, writable]).to.deep.equal([[], [workspace.folder]]);
    await workspace.close();
  });

  it('are the working folder, and the rest of its test folder to read', async () => {
    const [root, cwd] = [join(sources.folder, 'checks'), join(sources.folder, 'checks', 'shop')];
    mkdirSync(cwd, { recursive: true });
    writeFileSync(join(root, 'shared'), 'shared');
    const failed = verdictOf(await sources.open({ cwd, setup: setup('cat ../shared > mine; touch ../other') }));
    expect(failed).to.include({ errorCode: 'SETUP_FAILED' });
    expect(readFileSync(join(cwd, 'mine'), 'utf8')).to.equal('shared');
    expect(existsSync(join(root, 'other'))).to.equal(false);
  });

  it('do not include the folder of the worker, even if it is in the working folder', async () => {
    const list = 'ls repositories work > list';
    const workspace = workspaceOf(await sources.open({ cwd: sources.folder, setup: setup(list) }));
    const listed = readFileSync(join(sources.folder, 'list'), 'utf8');
    expect(listed).to.equal('repositories:\nshop\n\nwork:\n');
    await workspace.close();
  });

  it('are not the whole machine', async () => {
    const verdict = verdictOf(await sources.open({ cwd: '/' }));
    expect(verdict).to.include({ errorCode: 'FOLDER_NOT_ALLOWED' });
  });

  it('are an empty folder without a repository or a working folder', async () => {
    const workspace = workspaceOf(await sources.open({ setup: setup('ls -A > list') }));
    expect(readFileSync(join(workspace.folder, 'list'), 'utf8')).to.equal('list\n');
    await workspace.close();
  });
});
