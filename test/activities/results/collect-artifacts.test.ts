import { execFileSync } from 'node:child_process';
import { appendFile, mkdir, mkdtemp, realpath, rm, stat, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { collectArtifacts, type CollectOptions } from '#activities/results/collect-artifacts.js';
import { openInside } from '#activities/files/open-inside.js';
import type { NewArtifact } from '#activities/runners/runner.js';
import { eventually } from '#test/support/eventually.js';
import { textLog } from '#test/fixtures/commands/support.js';

const SECRET = 'outside';

describe('collectArtifacts', () => {
  let root: string;
  let folder: string;
  beforeEach(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), 'runhook-collect-')));
    folder = join(root, 'work');
    await mkdir(folder);
    await writeFile(join(root, 'outside.txt'), SECRET);
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  async function files(...names: string[]): Promise<void> {
    for (const name of names) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), name);
    }
  }

  async function collect(globs: string[], more: Partial<CollectOptions> = {}) {
    const kept: { name: string; contentType: string; text: string }[] = [];
    const log = textLog();
    const add = async ({ name, contentType, content }: NewArtifact) => {
      const parts: Buffer[] = [];
      for await (const part of Buffer.isBuffer(content) ? [content] : content) parts.push(Buffer.from(part));
      kept.push({ name, contentType, text: Buffer.concat(parts).toString() });
      return true;
    };
    const options = { signal: new AbortController().signal, log, ...more };
    const notes = await collectArtifacts(globs, { folder }, { add }, options);
    kept.sort((a, b) => (a.name < b.name ? -1 : 1));
    return { kept, names: kept.map(({ name }) => name), notes, log: log.text() };
  }

  it('saves what globs and folders match, once, with types by extension', async () => {
    await files('report/index.html', 'report/data/a.png', 'out/a.xml', 'out/b.XML', 'log/x.log', 'none/a', '.hidden/a');
    const { kept, names, notes } = await collect(['report', 'out/*.xml', 'out/*', '**/*.log', 'none/b']);
    expect(names).to.deep.equal(['log/x.log', 'out/a.xml', 'out/b.XML', 'report/data/a.png', 'report/index.html']);
    expect(kept.map(({ contentType }) => contentType)).to.deep.equal([
      'text/plain',
      'text/xml',
      'text/xml',
      'image/png',
      'text/html',
    ]);
    expect(kept.every(({ name, text }) => name === text)).to.be.true;
    expect(notes).to.deep.equal([]);
  });

  it('saves hidden files only on request, and no excluded files', async () => {
    await files('.cache/a', 'a/.env', 'a/b', 'a/c');
    expect((await collect(['**'])).names).to.deep.equal(['a/b', 'a/c']);
    expect((await collect(['.cache/**', 'a/.env'])).names).to.deep.equal(['.cache/a', 'a/.env']);
    expect((await collect(['a/**', '!a/c'])).names).to.deep.equal(['a/b']);
  });

  it('skips files from before the attempt', async () => {
    await files('old/report', 'new/report');
    const since = (await stat(join(folder, 'old/report'))).ctimeMs + 50;
    await eventually(() => (Date.now() > since + 50 ? true : undefined));
    await writeFile(join(folder, 'new/report'), 'again');
    await utimes(join(folder, 'new/report'), 0, 0);
    const { names, notes } = await collect(['**/report'], { since });
    expect(names).to.deep.equal(['new/report']);
    expect(notes).to.deep.equal(['1 file was not saved: last changed before this attempt started.']);
  });

  it('reports when no file matches', async () => {
    const { names, notes } = await collect(['out/*.xml', 'report']);
    expect(names).to.deep.equal([]);
    expect(notes).to.deep.equal(['No file in the working folder matches the artifacts out/*.xml, report.']);
  });

  const tricks: Record<string, { make: () => Promise<unknown>; globs?: string[] }> = {
    'a glob that leads out': { make: async () => {}, globs: ['../outside.txt', '../**', '{a,..}/outside.txt'] },
    'an absolute glob': { make: async () => {}, globs: ['/etc/hostname', '/etc/host*'] },
    'a link to a file outside': { make: () => symlink('../outside.txt', join(folder, 'a')), globs: ['**', 'a'] },
    'a link to a folder outside': {
      make: () => symlink('..', join(folder, 'up')),
      globs: ['**', 'up/*', 'up/outside.txt'],
    },
    'a link to itself': { make: () => symlink('loop', join(folder, 'loop')), globs: ['**', 'loop', 'loop/**'] },
    'a pipe': { make: async () => execFileSync('mkfifo', [join(folder, 'pipe')]), globs: ['**', 'pipe'] },
    'a device through a link': { make: () => symlink('/dev/zero', join(folder, 'zero')), globs: ['**', 'zero'] },
    'what /proc has': {
      make: () => symlink('/proc/self', join(folder, 'self')),
      globs: ['self/environ', 'self/**/environ'],
    },
  };
  for (const [name, { make, globs = ['**'] }] of Object.entries(tricks))
    it(`saves nothing from ${name}`, async () => {
      await make();
      const { names } = await collect(globs);
      expect(names).to.deep.equal([]);
    });

  it('saves no sockets', async () => {
    const server = createServer().listen(join(folder, 'socket'));
    await new Promise((resolve) => server.once('listening', resolve));
    expect((await collect(['**', 'socket'])).names).to.deep.equal([]);
    expect(await openInside({ folder }, 'socket')).to.have.property('refused');
    server.close();
  });

  it('opens only regular files below the folder, for any path', async () => {
    await symlink('../outside.txt', join(folder, 'link'));
    await symlink('..', join(folder, 'up'));
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    await mkdir(join(folder, 'sub'));
    const refusals = async (path: string) => ((await openInside({ folder }, path)) as { refused: string }).refused;
    expect(await refusals('link')).to.equal('it is outside the working folder');
    expect(await refusals('up/outside.txt')).to.equal('it is outside the working folder');
    expect(await refusals('../outside.txt')).to.equal('it is outside the working folder');
    expect(await refusals('pipe')).to.equal('it is not a regular file');
    expect(await refusals('sub')).to.equal('it is not a regular file');
    expect(await refusals('none')).to.equal('it cannot be read (ENOENT)');
    expect(await refusals('.')).to.equal('it is outside the working folder');
  });

  it('reads a growing file up to its original size', async () => {
    await files('grows');
    const opened = await openInside({ folder }, 'grows');
    if ('refused' in opened || Buffer.isBuffer(opened.content)) throw new Error('not opened');
    await appendFile(join(folder, 'grows'), 'x'.repeat(1000));
    const parts: Buffer[] = [];
    for await (const part of opened.content) parts.push(part);
    expect(Buffer.concat(parts).toString()).to.equal('grows');
  });

  it('reports the size of a sparse file without reading it', async () => {
    await files('sparse');
    await truncate(join(folder, 'sparse'), 2 ** 40);
    const opened = await openInside({ folder }, 'sparse');
    if ('refused' in opened || Buffer.isBuffer(opened.content)) throw new Error('not opened');
    expect(opened.size).to.equal(2 ** 40);
    opened.content.destroy();
  });

  it('saves files with any name but those with a line break', async () => {
    const names = ['a\u202eb', 'back\\slash', '-rf', "'; drop", 'ä'.repeat(120), ' space ', '$(x)', '[a]', '!a'];
    await files(...names, 'a\nb');
    await writeFile(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff, 0xfe])]), 'not UTF-8');
    const { names: kept, log } = await collect(['**']);
    expect(kept).to.have.members(names);
    expect(log).to.include('was not saved: it cannot be read (ENOENT)');
  });

  it('saves nothing with a glob that is no longer valid, without a search', async () => {
    await files('a'.repeat(60));
    const { names, notes } = await collect(['(a+)+b', 'a*']);
    expect(names).to.deep.equal([]);
    expect(notes[0]).to.match(/^No artifacts were saved: one of \(a\+\)\+b, a\* must not contain groups such as/);
  });

  it('ends at its deadline, and saves nothing after a stop', async () => {
    await files(...Array.from({ length: 50 }, (_, index) => `f${index}`));
    const log = textLog();
    let added = 0;
    const slow = { add: () => new Promise<boolean>((resolve) => setTimeout(resolve, 100, ++added > 0)) };
    const signal = new AbortController().signal;
    expect(await collectArtifacts(['**'], { folder }, slow, { signal, log, deadlineMs: 150 })).to.deep.equal([
      'Saving the artifacts took longer than 0.15 s. Some were not saved.',
    ]);
    expect(added).to.be.below(50);
    expect((await collect(['**'], { signal: AbortSignal.abort() })).names).to.deep.equal([]);
  });
});
