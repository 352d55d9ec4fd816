import { expect } from 'chai';
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SetupCommand } from '#src/domain/targets/test-source.js';
import { eventually } from '#test/fixtures/commands/support.js';
import { makeGitRepository, type GitRepository } from '#test/support/git/git-repository.js';
import { startSources, verdictOf, workspaceOf, type TestSources } from './sources-support.js';

describe('setup', () => {
  let sources: TestSources;
  let shop: GitRepository;
  /** Each run of a setup adds a line to it. */
  let runs: string;

  before(async () => {
    sources = await startSources();
    shop = makeGitRepository(join(sources.folder, 'shop'));
    shop.commit({ 'package-lock.json': '1', 'test.js': '' });
  });
  after(() => sources?.close());
  beforeEach(() => {
    runs = join(mkdtempSync(join(sources.folder, 'runs-')), 'runs');
    writeFileSync(runs, '');
  });
  afterEach(() => {
    expect(sources.left(), 'processes left').to.deep.equal([]);
    expect(sources.attempts(), 'folders left').to.deep.equal([]);
    const made = readdirSync(join(sources.workFolder, 'setups'));
    expect(made.filter((name) => /^(new|old)-/.test(name))).to.deep.equal([]);
  });

  const ran = () => readFileSync(runs, 'utf8').split('\n').length - 1;
  const setup = (script: string, more: Partial<SetupCommand> = {}): SetupCommand => ({
    command: ['sh', '-c', `echo x >> ${runs}; ${script}`],
    key: [],
    keep: [],
    timeoutMs: 20_000,
    ...more,
  });
  const cached = (script: string, more: Partial<SetupCommand> = {}) =>
    setup(script, { key: ['package-lock.json'], keep: ['node_modules'], ...more });
  const open = (command: SetupCommand, more = {}) => sources.open({ git: { url: shop.url }, setup: command }, more);
  const makes = 'mkdir -p node_modules/a && echo "$RUNHOOK_ATTEMPT" > node_modules/a/made && ln -s a node_modules/b';

  it('runs in the test’s folder with its variables, in a section of the log', async () => {
    const opened = await open(setup('echo "in $PWD for $SHOP"; ls'), { variables: { SHOP: 'blue' } });
    const { folder, close } = workspaceOf(opened);
    expect(opened.logged).to.match(/— setup started: sh -c .*\n/);
    expect(opened.logged).to.include(`in ${folder} for blue\npackage-lock.json\ntest.js\n— setup finished in `);
    await close();
    await workspaceOf(await open(setup(''))).close();
  });

  it('is restored with the same key, and runs again when a file of the key has changed', async () => {
    const first = await open(cached(makes));
    await workspaceOf(first).close();
    expect(first.logged).to.match(/cached with key [0-9a-f]{8}\n/);
    const second = await open(cached(makes));
    expect(second.logged).to.match(/setup restored from cache with key/);
    const { folder, close } = workspaceOf(second);
    expect(readFileSync(join(folder, 'node_modules/b/made'), 'utf8')).to.equal('1\n');
    // Changes that a test makes are not cached.
    writeFileSync(join(folder, 'node_modules/a/made'), 'broken');
    await close();
    expect(ran()).to.equal(1);
    const third = workspaceOf(await open(cached(makes)));
    expect(readFileSync(join(third.folder, 'node_modules/a/made'), 'utf8')).to.equal('1\n');
    await third.close();

    shop.commit({ 'package-lock.json': '2' });
    await workspaceOf(await open(cached(makes))).close();
    expect(ran()).to.equal(2);
  });

  it('is not shared between projects', async () => {
    await workspaceOf(await open(cached(makes))).close();
    await workspaceOf(await open(cached(makes), { projectId: 'another' })).close();
    expect(ran()).to.equal(2);
  });

  it('runs once for concurrent tests with the same key', async () => {
    const all = await Promise.all(Array.from({ length: 4 }, () => open(cached(`sleep 0.3; ${makes}`))));
    for (const one of all) {
      expect(existsSync(join(workspaceOf(one).folder, 'node_modules/a/made'))).to.equal(true);
      await workspaceOf(one).close();
    }
    expect(ran()).to.equal(1);
  });

  it('runs every time, and logs why, without a key file or a folder to keep', async () => {
    const keyless = await open(cached(makes, { key: ['yarn.lock'] }));
    expect(keyless.logged).to.match(/is not cacheable: no file matches its key \(yarn.lock\)/);
    await workspaceOf(keyless).close();
    const kept = await open(cached('true'));
    expect(kept.logged).to.match(/setup not cached: node_modules does not exist/);
    await workspaceOf(kept).close();
  });

  it('that fails is SETUP_FAILED with its exit code and the commit, and is not cached', async () => {
    const opened = await open(cached(`${makes}; echo no such package >&2; exit 3`));
    const verdict = verdictOf(opened);
    expect(verdict).to.include({ status: 'error', errorCode: 'SETUP_FAILED', exitCode: 3 });
    expect(verdict.commit).to.equal(shop.git('rev-parse', 'HEAD'));
    expect(verdict.errorMessage).to.match(/setup failed with exit code 3 after .* did not run/);
    expect(opened.logged).to.include('no such package');
    await workspaceOf(await open(cached(makes))).close();
  });

  it('reports a missing program', async () => {
    const verdict = verdictOf(await open({ ...setup(''), command: ['no-such-program'] }));
    expect(verdict).to.include({ errorCode: 'SETUP_FAILED' });
    expect(verdict.errorMessage).to.match(/"no-such-program" was not found in PATH/);
  });

  it('ends at its timeout', async () => {
    const verdict = verdictOf(await open(setup('sleep 60', { timeoutMs: 300 })));
    expect(verdict).to.include({ status: 'error', errorCode: 'SETUP_FAILED' });
    expect(verdict.errorMessage).to.match(/still running after 0.3 s/);
  });

  it('stops with its run, and the next one waiting for it continues', async () => {
    const stop = new AbortController();
    const first = open(cached('sleep 60'), { signal: stop.signal });
    await eventually('the setup', () => ran() === 1);
    const second = open(cached(`${makes}`));
    stop.abort();
    expect(verdictOf(await first)).to.include({ status: 'stopped' });
    await workspaceOf(await second).close();
  });

  describe('in a folder of the worker', () => {
    it('runs one at a time, and leaves an up-to-date folder unchanged', async () => {
      const cwd = mkdtempSync(join(sources.folder, 'cwd-'));
      writeFileSync(join(cwd, 'package-lock.json'), 'of cwd');
      const inFolder = async () => {
        const opened = await sources.open({ cwd, setup: cached(makes) });
        await workspaceOf(opened).close();
        return opened;
      };
      const all = await Promise.all([inFolder(), inFolder()]);
      expect(all.map((one) => workspaceOf(one).folder)).to.deep.equal([cwd, cwd]);
      expect(ran()).to.equal(1);
      writeFileSync(join(cwd, 'node_modules/in-use'), '');
      expect((await inFolder()).logged).to.match(/setup skipped: the folder is up to date/);
      expect(existsSync(join(cwd, 'node_modules/in-use'))).to.equal(true);

      writeFileSync(join(cwd, 'package-lock.json'), 'of cwd, changed');
      await inFolder();
      expect(ran()).to.equal(2);
    });

    it('does not remove the folder when it fails', async () => {
      const cwd = mkdtempSync(join(sources.folder, 'cwd-'));
      expect(verdictOf(await sources.open({ cwd, setup: setup('exit 1') }))).to.include({ errorCode: 'SETUP_FAILED' });
      expect(existsSync(cwd)).to.equal(true);
    });
  });
});
