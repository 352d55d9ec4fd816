import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '#test/support/eventually.js';
import { openWorkFolder } from '#activities/sources/work-folder.js';

describe('openWorkFolder', () => {
  let parent: string;
  let root: string;
  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), 'runhook-work-folder-'));
    root = join(parent, 'work');
  });
  afterEach(() => rmSync(parent, { recursive: true, force: true }));

  const running = new AbortController().signal;

  const open = (workerId: string) =>
    openWorkFolder(root, {
      workerId,
      warn: (message) => {
        throw new Error(message);
      },
    });

  it('restricts it to its owner, even if it existed with more permissions', async () => {
    mkdirSync(root, { mode: 0o777 });
    chmodSync(root, 0o777);
    const folder = await open('one');
    expect(statSync(root).mode & 0o777).to.equal(0o700);
    await folder.close();
  });

  it('refuses a link', async () => {
    symlinkSync(parent, root);
    const error = await open('one').then(
      () => undefined,
      (reason: Error) => reason,
    );
    expect(error?.message).to.match(/RUNHOOK_WORK_FOLDER .* is a symbolic link/);
  });

  it('waits a second for the removal of a stopped attempt’s files, which goes on', async () => {
    let finish = () => {};
    const removed: string[] = [];
    const removeTree = (path: string) =>
      new Promise<void>((resolve) => (finish = resolve)).then(() => void removed.push(path));
    const folder = await openWorkFolder(root, { workerId: 'one', warn: () => {}, removeTree });
    const stop = new AbortController();
    const attempt = await folder.forAttempt(stop.signal);
    const closing = attempt.close();
    const startedAt = performance.now();
    stop.abort();
    await closing;
    expect(performance.now() - startedAt).to.be.within(900, 5000);
    expect(removed).to.deep.equal([]);
    finish();
    await eventually(() => removed.includes(attempt.folder) || undefined);
    const closed = folder.close();
    await eventually(() => {
      finish();
      return removed.length > 1 || undefined;
    });
    await closed;
  });

  it('creates an empty folder per attempt, and removes it including read-only folders', async () => {
    const folder = await open('one');
    const [one, other] = [await folder.forAttempt(running), await folder.forAttempt(running)];
    expect(one.folder).not.to.equal(other.folder);
    mkdirSync(join(one.folder, 'go/pkg'), { recursive: true });
    writeFileSync(join(one.folder, 'go/pkg/file'), '');
    chmodSync(join(one.folder, 'go/pkg'), 0o500);
    await one.close();
    expect(existsSync(one.folder)).to.equal(false);
    await folder.close();
    expect(readdirSync(join(root, 'workers'))).to.deep.equal([]);
  });

  it('removes the folder of a killed worker at the next start, and none of a running worker', async () => {
    const program = `
      const { openWorkFolder } = await import(${JSON.stringify(new URL('../../../activities/sources/work-folder.ts', import.meta.url).href)});
      const folder = await openWorkFolder(process.argv[1], { workerId: process.argv[2], warn: console.error });
      await folder.forAttempt(new AbortController().signal);
      console.log('ready');
      setInterval(() => {}, 1000);`;
    const start = async (workerId: string) => {
      const args = ['--import', 'tsx', '--input-type=module', '-e', program, root, workerId];
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
      await once(child.stdout, 'data');
      return child;
    };
    const [killed, living] = await Promise.all([start('killed'), start('living')]);
    const ended = once(killed, 'exit');
    killed.kill('SIGKILL');
    await ended;
    const next = await open('next');
    await next.close();
    expect(readdirSync(join(root, 'workers'))).to.deep.equal(['living']);
    expect(readdirSync(join(root, 'workers/living')).filter((name) => name.startsWith('attempt-'))).to.have.length(1);
    const over = once(living, 'exit');
    living.kill('SIGKILL');
    await over;
  });

  it('removes unused repositories and setups, and unfinished copies', async () => {
    const old = new Date(Date.now() - 15 * 24 * 3_600_000);
    const first = await open('one');
    await first.close();
    for (const name of ['repositories/unused', 'repositories/used', 'setups/new-half', 'setups/used']) {
      mkdirSync(join(root, name));
      if (!name.endsWith('/used')) utimesSync(join(root, name), old, old);
    }
    await (await open('two')).close();
    expect(readdirSync(join(root, 'repositories'))).to.deep.equal(['used']);
    expect(readdirSync(join(root, 'setups'))).to.deep.equal(['used']);
  });
});
