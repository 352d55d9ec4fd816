import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdtemp, readFile, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { findEntry, makeEntry } from '#tools/stack/cache.js';

const MAKER = new URL('../../fixtures/dev/make-slowly.ts', import.meta.url).pathname;

/** Another process that makes the entry and stays half-way; resolves when it is there. */
async function halfMade(entry: string) {
  const maker = spawn(process.execPath, ['--import', 'tsx', MAKER, entry], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(maker.stdout, 'data');
  return maker;
}

describe('the cache of servers', function () {
  this.timeout(20_000);
  let folder: string;
  let entry: string;
  let said: string[];
  const say = (line: string) => void said.push(line);
  const make = (text: string) => (into: string) => writeFile(join(into, 'tool'), text);

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'runhook-cache-'));
    entry = join(folder, 'tool-1');
    said = [];
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('makes an entry once', async () => {
    await makeEntry(entry, say, make('first'));
    await makeEntry(entry, say, make('second'));
    expect(await readFile(join(entry, 'tool'), 'utf8')).to.equal('first');
    expect(await findEntry(entry, say)).to.equal(entry);
  });

  it('leaves nothing when making fails', async () => {
    const failure = await makeEntry(entry, say, () => Promise.reject(new Error('no network'))).catch(String);
    expect(failure).to.include('no network');
    expect(await readdir(folder)).to.deep.equal([]);
  });

  it('survives a maker killed half-way', async () => {
    const maker = await halfMade(entry);
    maker.kill('SIGKILL');
    await once(maker, 'exit');
    expect(await findEntry(entry, say), 'half an entry').to.equal(undefined);
    await makeEntry(entry, say, make('whole'));
    expect(await readFile(join(entry, 'tool'), 'utf8')).to.equal('whole');
    expect(await readdir(folder), 'the draft or the lock is left').to.deep.equal(['tool-1']);
  });

  it('waits for another process that makes it', async () => {
    const maker = await halfMade(entry);
    const waiting = makeEntry(
      entry,
      (line) => {
        say(line);
        maker.kill('SIGUSR2'); // It may go on.
      },
      make('mine'),
    );
    await waiting;
    expect(said).to.deep.equal([`Waiting for process ${maker.pid}, which is creating tool-1`]);
    expect(await readFile(join(entry, 'tool'), 'utf8')).to.equal('theirs');
  });

  it('does not use a file that differs from its checksum, and makes it again', async () => {
    await makeEntry(entry, say, make('right'));
    await appendFile(join(entry, 'tool'), 'x');
    expect(await findEntry(entry, say)).to.equal(undefined);
    expect(said[0]).to.include('does not match its checksum');
    await makeEntry(entry, say, make('again'));
    expect(await readFile(join(entry, 'tool'), 'utf8')).to.equal('again');
  });

  it('uses a file whose time has changed but not its content', async () => {
    await makeEntry(entry, say, make('right'));
    await utimes(join(entry, 'tool'), 1, 1);
    expect(await findEntry(entry, say)).to.equal(entry);
  });
});
