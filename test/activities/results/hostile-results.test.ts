import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { appendFile, mkdir, mkdtemp, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { readJunit } from '#activities/results/read-junit.js';

const MIB = 1024 * 1024;
/** Only ends a hanging test: a bomb takes hours even on an idle machine. */
const ENDLESS_MS = 10 * 60_000;
/** Size of a piece of a file; the reader yields between two. */
const PIECE_BYTES = 64 * 1024;
/** Memory that a read may need in addition, for any file. */
const MAX_GROWTH_MIB = 250;

describe('readJunit with hostile files', function () {
  this.timeout(ENDLESS_MS);
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'runhook-hostile-'));
    await mkdir(join(folder, 'out'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const file = () => join(folder, 'out/a.xml');

  /** Counts turns of the event loop until it is stopped. */
  function countTurns() {
    let turns = 0;
    let isOver = false;
    const next = () => {
      turns++;
      if (!isOver) setImmediate(next);
    };
    setImmediate(next);
    return { soFar: () => turns, end: () => (isOver = true) };
  }

  /** Reads while watching memory; the event loop must turn at least once per piece. */
  async function read() {
    const { size } = await stat(file()).catch(() => ({ size: 0 }));
    const before = process.memoryUsage().rss;
    let highest = before;
    const watch = setInterval(() => (highest = Math.max(highest, process.memoryUsage().rss)), 5);
    const turns = countTurns();
    try {
      const { signal } = new AbortController();
      const mask = (text: string) => text;
      const results = await readJunit('out/*.xml', { folder, since: 0, mask, signal });
      const isWhole = results.counts.passed > 0 && results.notes.every((note) => !note.includes(' is not read'));
      const pieces = isWhole ? Math.floor(size / PIECE_BYTES) : 0;
      expect(turns.soFar(), 'turns of the event loop').to.be.at.least(pieces);
      expect((highest - before) / MIB, 'MiB').to.be.below(MAX_GROWTH_MIB);
      return results;
    } finally {
      turns.end();
      clearInterval(watch);
    }
  }

  /** A file that repeats one piece, streamed to disk. */
  async function write(begin: string, piece: string, times: number, end: string) {
    const stream = createWriteStream(file());
    const block = piece.repeat(1000);
    stream.write(begin);
    for (let done = 0; done < times; done += 1000) if (!stream.write(block)) await once(stream, 'drain');
    stream.end(end);
    await once(stream, 'close');
  }

  it('refuses entities that expand, and those that reference files', async () => {
    for (const subset of ['<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">', '<!ENTITY b SYSTEM "file:///etc/passwd">']) {
      await writeFile(file(), `<!DOCTYPE t [${subset}]><testsuite><testcase name="&b;"/></testsuite>`);
      const { cases, notes } = await read();
      expect(cases).to.deep.equal([]);
      expect(notes[0]).to.contain('it has a document type declaration');
    }
  });

  it('refuses a million nested elements', async () => {
    await write('<testsuites>', '<testsuite>', 1_000_000, '');
    expect((await read()).notes[0]).to.contain('nested more than 100 deep');
  });

  it('counts 200,000 cases and lists the first 20,000', async () => {
    await write('<testsuite>', '<testcase name="a"/>', 200_000, '<testcase name="z"><failure/></testcase></testsuite>');
    const { cases, counts, failed, notes } = await read();
    expect(cases).to.have.lengthOf(20_000);
    expect(counts).to.deep.equal({ passed: 200_000, failed: 1, error: 0, skipped: 0 });
    expect(failed).to.deep.equal(['z']);
    expect(notes).to.deep.equal(['The first 20,000 of 200,001 cases are listed; all are counted.']);
  });

  it('refuses an attribute of a gigabyte, and a million attributes', async () => {
    await write('<testsuite name="', 'x'.repeat(1000), 20_000, '"/>');
    expect((await read()).notes[0]).to.contain('longer than 4194304 characters');
    await truncate(file(), 1024 * MIB);
    expect((await read()).notes[0]).to.contain('exceed 32 MiB in total');
    const many = Array.from({ length: 1000 }, (_, index) => `a${index}=""`).join(' ');
    await writeFile(file(), `<testsuite ${many}/>`);
    expect((await read()).notes[0]).to.contain('more than 100 attributes');
  });

  for (const [what, piece] of [
    ['letters', 'x'.repeat(1000)],
    ['entities', '&lt;'.repeat(250)],
    ['line ends', '\r\n'.repeat(500)],
    ['forbidden characters', '\x01'.repeat(1000)],
  ] as const)
    it(`refuses a huge text of ${what}`, async () => {
      await write('<testsuite><testcase name="a"><failure>', piece, 20_000, '</failure></testcase></testsuite>');
      expect((await read()).notes[0]).to.match(/longer than 4194304 characters|too many characters that XML forbids/);
    });

  it('keeps a limited part of many large texts', async () => {
    const text = 'x'.repeat(25_000);
    await write('<testsuite>', `<testcase name="a"><failure>${text}</failure></testcase>`, 1000, '</testsuite>');
    const { cases, notes } = await read();
    expect(JSON.stringify(cases).length).to.be.below(9 * MIB);
    expect(notes.join()).to.contain('beyond 8 MiB');
  });

  it('reads at most 32 MiB', async () => {
    await write('<testsuite>', `<!--${'x'.repeat(1000)}-->`, 100_000, '</testsuite>');
    expect((await read()).notes[0]).to.contain('exceed 32 MiB in total');
  });

  it('follows no links, waits for no pipes and reads no devices', async () => {
    await symlink('/etc/passwd', join(folder, 'out/passwd.xml'));
    await symlink('/dev/zero', join(folder, 'out/zero.xml'));
    const [code] = (await once(spawn('mkfifo', [join(folder, 'out/pipe.xml')]), 'close')) as [number];
    expect(code).to.equal(0);
    expect((await read()).notes[0]).to.contain('no file in the working folder matches');
  });

  it('ends with a file that grows while it is read', async () => {
    await writeFile(file(), '<testsuite>');
    let isOver = false;
    const growing = (async () => {
      while (!isOver)
        await appendFile(file(), `<testcase name="a"><system-out>${'x'.repeat(100_000)}</system-out></testcase>`);
    })();
    try {
      const { cases, notes } = await read();
      expect(cases.length).to.be.at.most(20_000);
      expect(notes.length).to.be.at.least(1);
    } finally {
      isOver = true;
      await growing;
    }
  });

  it('ends immediately when it is aborted', async () => {
    await write('<testsuite>', '<testcase name="a"/>', 200_000, '</testsuite>');
    const cpuMs = (from: NodeJS.CpuUsage) => process.cpuUsage(from).user / 1000;
    const start = (signal: AbortSignal) =>
      readJunit('out/*.xml', { folder, since: 0, mask: (text: string) => text, signal });
    let from = process.cpuUsage();
    await start(new AbortController().signal);
    const wholeMs = cpuMs(from);
    const abort = new AbortController();
    const reading = start(abort.signal).catch((thrown: Error) => thrown);
    await turn();
    abort.abort();
    from = process.cpuUsage();
    expect(await reading).to.have.property('name', 'AbortError');
    expect(cpuMs(from), 'processor time after the abort, in ms').to.be.below(wholeMs / 2);
  });
});
