import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdtemp, readFile, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { findEntry, createEntry } from '#tools/stack/cache.js';

const MAKER = new URL('../../fixtures/dev/make-slowly.ts', import.meta.url).pathname;

/** Another process that has started to create the entry. */
async function halfMade(entry: string) {
  const maker = spawn(process.execPath, ['--import', 'tsx', MAKER, entry], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(maker.stdout, 'data');
  return maker;
}

describe('the cache of servers', function () {
  this.timeout(20_000);
  let folder: string;
  let entry: string;
  let lines: string[];
  const log = (line: string) => void lines.push(line);
  const make = (text: string) => (into: string) => writeFile(join(into, 'tool'), text);

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'runhook-cache-'));
    entry = join(folder, 'tool-1');
    lines = [];
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('creates an entry once', async () => {
    await createEntry(entry, log, make('first'));
    await createEntry(entry, log, make('second'));
    expect(await readFile(join(entry, 'tool'), 'utf8')).to.equal('first');
    expect(await findEntry(entry, log)).to.equal(entry);
  });

  it('leaves nothing after a failure', async () => {
    const failure = await createEntry(entry, log, () => Promise.reject(new Error('no network'))).catch(String);
    expect(failure).to.include('no network');
    expect(await readdir(folder)).to.deep.equal([]);
  });

  it('recovers from a process killed while creating an entry', async () => {
    const maker = await halfMade(entry);
    maker.kill('SIGKILL');
    await once(maker, 'exit');
    expect(await findEntry(entry, log), 'half an entry').to.equal(undefined);
    await createEntry(entry, log, make('whole'));
    expect(await readFile(join(entry, 'tool'), 'utf8')).to.equal('whole');
    expect(await readdir(folder), 'the draft or the lock is left').to.deep.equal(['tool-1']);
  });

  it('waits for another process that creates it', async () => {
    const maker = await halfMade(entry);
    const waiting = createEntry(
      entry,
      (line) => {
        log(line);
        maker.kill('SIGUSR2'); // It may go on.
      },
      make('mine'),
    );
    await waiting;
    expect(lines).to.deep.equal([`Waiting for process ${maker.pid}, which is creating tool-1`]);
    expect(await readFile(join(entry, 'tool'), 'utf8')).to.equal('theirs');
  });

  it('replaces an entry with a file that does not match its checksum', async () => {
    await createEntry(entry, log, make('right'));
    await appendFile(join(entry, 'tool'), 'x');
    expect(await findEntry(entry, log)).to.equal(undefined);
    expect(lines[0]).to.include('does not match its checksum');
    await createEntry(entry, log, make('again'));
    expect(await readFile(join(entry, 'tool'), 'utf8')).to.equal('again');
  });

  it('uses a file whose modification time has changed, but not its content', async () => {
    await createEntry(entry, log, make('right'));
    await utimes(join(entry, 'tool'), 1, 1);
    expect(await findEntry(entry, log)).to.equal(entry);
  });
});
