import { expect } from 'chai';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { findFiles } from '#activities/files/find-files.js';
import { readInside } from '#activities/files/open-inside.js';
import { parseGlobs } from '#src/domain/targets/glob.js';

describe('findFiles', () => {
  let folder: string;
  beforeEach(() => (folder = realpathSync(mkdtempSync(join(tmpdir(), 'runhook-find-')))));
  afterEach(() => rmSync(folder, { recursive: true }));

  function files(...names: string[]): void {
    for (const name of names) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), '');
    }
  }
  const find = (globs: string[], more: Partial<Parameters<typeof findFiles>[2]> & { closedFolders?: string[] } = {}) =>
    findFiles({ folder, ...more }, parseGlobs(globs), { signal: new AbortController().signal, ...more });

  it('finds files sorted by name, without excluded ones', async () => {
    files('b/2', 'b/10', 'a/x.xml', 'a/y.xml', 'node_modules/a/x.xml');
    expect(await find(['**'], { skipFolders: ['node_modules'] })).to.deep.equal(['a/x.xml', 'a/y.xml', 'b/10', 'b/2']);
    expect(await find(['**/*.xml', '!a/y*', '!node_modules'], { foldersMatchContents: true })).to.deep.equal([
      'a/x.xml',
    ]);
  });

  it('enters links only if a glob names them and they point to a folder of the test', async () => {
    files('build/7/report.xml', 'closed/secret');
    symlinkSync('build/7', join(folder, 'current'));
    symlinkSync('..', join(folder, 'up'));
    symlinkSync('.', join(folder, 'loop'));
    symlinkSync('closed', join(folder, 'to-closed'));
    const closedFolders = [join(folder, 'closed')];
    expect(await find(['current/*.xml', 'up/**', 'to-closed/*', 'closed/*'], { closedFolders })).to.deep.equal([
      'current/report.xml',
    ]);
    expect(await find(['**/report.xml', '**/loop/**/secret'], { closedFolders })).to.deep.equal(['build/7/report.xml']);
  });

  it('stops on its signal within a large tree, and yields to other work', async () => {
    for (let index = 0; index < 300; index++) files(`${index}/${'a'.repeat(200)}`);
    const abort = new AbortController();
    let turns = 0;
    const timer = setInterval(() => ++turns === 3 && abort.abort(new Error('stopped')), 1);
    try {
      const slow = Array.from({ length: 18 }, () => '**/' + '*a'.repeat(490) + '*b');
      const error = await find(slow, { signal: abort.signal }).catch((thrown: Error) => thrown);
      expect(error).to.have.property('message', 'stopped');
    } finally {
      clearInterval(timer);
    }
  });

  it('returns nothing for a missing folder', async () => {
    expect(
      await findFiles({ folder: join(folder, 'none') }, parseGlobs(['**']), { signal: new AbortController().signal }),
    ).to.deep.equal([]);
  });
});

describe('readInside', () => {
  it('reads a whole file, or stops at the limit', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'runhook-read-'));
    try {
      writeFileSync(join(folder, 'ten'), '0123456789');
      expect(String(await readInside({ folder }, 'ten', 10))).to.equal('0123456789');
      expect(await readInside({ folder }, 'ten', 9)).to.deep.equal({ refused: 'it is too large', isTooLarge: true });
      const stopped = await readInside({ folder }, 'ten', 10, AbortSignal.abort(new Error('stopped'))).catch(
        (error: Error) => error,
      );
      expect(stopped).to.have.property('message', 'stopped');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
