import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { createTestFolders } from '#activities/sources/test-folders.js';

describe('createTestFolders', () => {
  let root: string;
  before(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'runhook-cwd-')));
    for (const name of ['checks/api', 'checks-of-others', 'work/workers', 'elsewhere'])
      mkdirSync(join(root, name), { recursive: true });
    symlinkSync('../elsewhere', join(root, 'checks/out'));
    symlinkSync('../work/workers', join(root, 'checks/work'));
    symlinkSync('/proc/self', join(root, 'checks/self'));
    symlinkSync('checks', join(root, 'link-to-checks'));
    symlinkSync('api', join(root, 'checks/inner'));
  });
  after(() => rmSync(root, { recursive: true }));

  const find = (cwd: string, allowed = [join(root, 'checks')]) => createTestFolders(allowed, [join(root, 'work')])(cwd);
  async function refusal(cwd: string, allowed?: string[]): Promise<string> {
    const found = await find(cwd, allowed);
    return 'refused' in found ? found.refused : `allowed: ${found.folder}`;
  }

  it('allows the configured folders and those below, with links resolved', async () => {
    const [checks, api] = [join(root, 'checks'), join(root, 'checks/api')];
    expect(await find(checks)).to.deep.equal({ folder: checks, root: checks });
    expect(await find(api)).to.deep.equal({ folder: api, root: checks });
    expect(await find(join(root, 'checks/inner'))).to.deep.equal({ folder: api, root: checks });
    expect(await find(join(root, 'link-to-checks/api'))).to.deep.equal({ folder: api, root: checks });
    expect(await find(api, [join(root, 'link-to-checks')])).to.deep.equal({ folder: api, root: checks });
    expect(await find(join(root, 'elsewhere'), ['/'])).to.deep.equal({ folder: join(root, 'elsewhere'), root: '/' });
    // A missing folder is reported when the test starts.
    const missing = join(root, 'checks/not/yet');
    expect(await find(missing)).to.deep.equal({ folder: missing, root: checks });
  });

  it('returns the innermost allowed folder as the root', async () => {
    const [outer, inner] = [join(root, 'checks'), join(root, 'checks/api')];
    for (const allowed of [
      [outer, inner],
      [inner, outer],
    ])
      expect(await find(inner, allowed)).to.deep.equal({ folder: inner, root: inner });
  });

  it('refuses all others by any path, with the same message whether they exist or not', async () => {
    const words = (cwd: string) =>
      `The working folder ${cwd} is not in a folder that this worker allows (RUNHOOK_TEST_FOLDERS). Use files from a Git repository (git), or ask the operator of the worker to add the folder to RUNHOOK_TEST_FOLDERS.`;
    for (const cwd of [
      '/',
      '/etc',
      '/no/such/folder',
      root,
      join(root, 'checks-of-others'),
      join(root, 'checks/out'),
      `${root}/checks/../elsewhere`,
      join(root, 'checks/out/none'),
    ])
      expect(await refusal(cwd), cwd).to.equal(words(cwd));
  });

  it('allows none by default', async () => {
    expect(await refusal(join(root, 'checks'), [])).to.match(
      /this worker allows no folders of its machine \(RUNHOOK_TEST_FOLDERS is not set\)/,
    );
  });

  it('never allows folders of the system or the worker', async () => {
    for (const cwd of [
      '/proc/self',
      '/proc',
      '/sys',
      '/dev',
      '/dev/shm',
      '/proc/self/cwd/../..',
      join(root, 'checks/self'),
      join(root, 'work'),
      join(root, 'work/workers'),
      join(root, 'work/none'),
      join(root, 'checks/work'),
    ])
      expect(await refusal(cwd, ['/', '/proc', join(root, 'work')]), cwd).to.match(
        /belongs to the system or to the worker and cannot be used/,
      );
  });
});
