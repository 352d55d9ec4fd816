import { expect } from 'chai';
import { createProcessRunner } from '#activities/processes/run-process.js';
import { createCommandRunner } from '#activities/runners/command.js';
import { createLauncher, type Launcher } from '#activities/processes/launcher.js';
import type { Runner, RunLog } from '#activities/runners/runner.js';
import { createSecretMask } from '#activities/run-log/masker.js';
import { createRunLog, type RunLogOptions } from '#activities/run-log.js';
import type { CommandTest } from '#src/domain/targets/definitions.js';
import type { LogLine } from '#src/domain/runs/log-line.js';
import { attemptOf, definitionOf, eventually, program } from '#test/fixtures/commands/support.js';

const MIB = 1024 * 1024;

/** A fake database, because a real one cannot fail on demand. Idempotent by `_id`, like the real one. */
function createStore() {
  const lines = new Map<string, LogLine>();
  const batches: number[] = [];
  const store = {
    lines,
    batches,
    /** Called before a batch is saved; may throw or wait. */
    before: async (_batch: LogLine[]): Promise<void> => {},
    async insert(batch: LogLine[]): Promise<void> {
      batches.push(batch.length);
      await store.before(batch);
      for (const line of batch) lines.set(line._id, line);
    },
    inOrder: () => [...lines.values()].sort((a, b) => a.seq - b.seq),
    texts: () => store.inOrder().map(({ text }) => text),
  };
  return store;
}

describe('createRunLog', () => {
  function open(more: Partial<RunLogOptions> = {}) {
    const store = createStore();
    const warnings: string[] = [];
    const log = createRunLog({
      runLogs: store,
      runId: 'run',
      attempt: 2,
      delivery: 1,
      maxBytes: 8 * MIB,
      warn: (message) => warnings.push(message),
      ...more,
    });
    return { store, log, warnings };
  }

  describe('lines', () => {
    /** The lines of chunks of stdout. */
    async function linesOf(...chunks: (Buffer | string)[]): Promise<string[]> {
      const { store, log } = open();
      for (const chunk of chunks) await log.write('stdout', chunk);
      await log.close();
      return store.texts();
    }

    it('contain run, attempt, delivery, number, time and stream', async () => {
      const at = new Date('2026-01-02T03:04:05.006Z');
      const { store, log } = open({ now: () => at });
      await log.write('stdout', 'one\n');
      await log.write('system', 'two\n');
      await log.close();
      expect(store.inOrder()).to.deep.equal([
        { _id: 'run:2:1:1', runId: 'run', attempt: 2, delivery: 1, seq: 1, at, stream: 'stdout', text: 'one' },
        { _id: 'run:2:1:2', runId: 'run', attempt: 2, delivery: 1, seq: 2, at, stream: 'system', text: 'two' },
      ]);
    });

    it('are joined across chunks, per stream; the last one needs no line break', async () => {
      const { store, log } = open();
      await log.write('stdout', 'a');
      await log.write('stderr', 'X');
      await log.write('stdout', 'b\nc');
      await log.write('stderr', 'Y\n\n');
      await log.close();
      expect(store.inOrder().map(({ stream, text }) => `${stream} ${text}`)).to.deep.equal([
        'stdout ab',
        'stderr XY',
        'stderr ',
        'stdout c',
      ]);
    });

    it('lose CR LF, also across chunks', async () => {
      expect(await linesOf('a\r\nb\r', '\n', 'c\rd\n')).to.deep.equal(['a', 'b', 'c\rd']);
    });

    it('keep characters that span chunks, and show invalid UTF-8 as U+FFFD', async () => {
      const bytes = Buffer.from('grün 😀 €\n');
      expect(await linesOf(...Array.from(bytes, (byte) => Buffer.of(byte)))).to.deep.equal(['grün 😀 €']);
      expect(await linesOf(Buffer.of(0x61, 0xff, 0xfe, 0x62, 0x0a, 0xc3, 0x0a))).to.deep.equal([
        'a\uFFFD\uFFFDb',
        '\uFFFD',
      ]);
    });

    it('above 64 KiB are split without breaking characters', async () => {
      expect((await linesOf(`${'x'.repeat(200_000)}\nend\n`)).map(({ length }) => length)).to.deep.equal([
        65536, 65536, 65536, 3392, 3,
      ]);
      const text = `x${'😀'.repeat(50_000)}`;
      for (const size of [1_000_000, 65536, 1000, 7]) {
        const bytes = Buffer.from(text);
        const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
          bytes.subarray(index * size, (index + 1) * size),
        );
        const pieces = await linesOf(...chunks, '\n');
        expect(pieces.join('') === text, `chunks of ${size}`).to.equal(true);
        expect(pieces).to.have.length(4);
      }
    });

    it('of exactly 64 KiB are not split', async () => {
      const line = 'x'.repeat(65536);
      expect(await linesOf(line, '\n', `${line}\n`)).to.deep.equal([line, line]);
    });
  });

  describe('secrets', () => {
    const SECRET = 'correct-horse-battery';
    const secret = () => open({ mask: createSecretMask([SECRET]), maxBytes: 1024 * 1024 });

    it('are masked per stream, even if other output comes between', async () => {
      const { store, log } = secret();
      for (const byte of Buffer.from(`a ${SECRET}\n`)) {
        await log.write('stdout', Buffer.of(byte));
        await log.write('stderr', Buffer.of(byte));
      }
      await log.close();
      expect(store.texts()).to.deep.equal(['a ***', 'a ***']);
    });

    it('are masked before a long line is split, and at the end of a log without a line break', async () => {
      const { store, log } = secret();
      await log.write('stdout', `${'x'.repeat(65_536 - 5)}${SECRET}\n`);
      await log.write('stdout', `rest ${SECRET.slice(0, 7)}`);
      await log.write('stdout', SECRET.slice(7));
      await log.close();
      expect(store.texts().join('|')).to.match(/x\*\*\*\|rest \*\*\*$/);
    });

    it('are masked where the log is truncated, and in its tail', async () => {
      const { store, log } = secret();
      const line = `${'y'.repeat(100)} ${SECRET}\n`;
      for (const piece of line.repeat(30_000).match(/[^]{1,10007}/g)!) await log.write('stdout', piece);
      await log.write('stdout', SECRET.slice(0, 10));
      await log.close();
      const texts = store.texts();
      expect(texts.some((text) => text.startsWith('Log truncated'))).to.equal(true);
      expect(texts.at(-1)).to.equal(SECRET.slice(0, 10));
      const others = texts.slice(0, -1).filter((text) => !text.startsWith('Log truncated'));
      expect(new Set(others)).to.deep.equal(new Set([`${'y'.repeat(100)} ***`]));
    });
  });

  describe('batches', () => {
    it('are written while the test runs', async () => {
      const { store, log } = open();
      await log.write('stdout', 'early\n');
      await eventually('the line written', () => store.lines.size === 1);
      await log.close();
    });

    it('contain at most 500 lines and 512 KiB', async () => {
      const { store, log } = open();
      await log.write('stdout', 'x\n'.repeat(1200));
      await log.close();
      expect(store.batches).to.deep.equal([500, 500, 200]);
      const large = open();
      await large.log.write('stdout', `${'x'.repeat(60_000)}\n`.repeat(20));
      await large.log.close();
      expect(Math.max(...large.store.batches)).to.be.at.most(9);
      expect(large.store.lines.size).to.equal(20);
    });

    it('are not written for a silent test', async () => {
      const { store, log } = open();
      await log.close();
      expect(store.batches).to.deep.equal([]);
    });

    it('are retried when they fail, each line once and in order', async () => {
      const { store, log, warnings } = open();
      let failures = 3;
      store.before = async (batch) => {
        if (failures-- > 0) {
          store.lines.set(batch[0]!._id, batch[0]!); // Part of it was written.
          throw new Error('isDown');
        }
      };
      await log.write('stdout', 'a\nb\nc\n');
      await log.close();
      expect(store.texts()).to.deep.equal(['a', 'b', 'c']);
      expect(store.batches).to.have.length(4);
      expect(warnings).to.deep.equal([]);
    });

    it('apply backpressure while the database is unavailable, and then continue', async () => {
      const { store, log } = open({ maxBytes: 64 * MIB });
      let isDown = true;
      store.before = async () => {
        if (isDown) throw new Error('isDown');
      };
      const chunk = `${'x'.repeat(1000)}\n`.repeat(64);
      let written = 0;
      const writing = (async () => {
        for (; written < 100; written++) await log.write('stdout', chunk);
      })();
      await eventually('tries', () => store.batches.length >= 3);
      expect(written * chunk.length).to.be.within(1.5 * MIB, 3 * MIB);
      isDown = false;
      await writing;
      await log.close();
      expect(store.lines.size).to.equal(6400);
    });

    it('apply no backpressure beyond the deadline: the tail is kept in memory', async () => {
      const { store, log } = open({ maxBytes: 64 * MIB, deadlineMs: 400 });
      let isDown = true;
      store.before = async () => {
        if (isDown) throw new Error('isDown');
      };
      for (let index = 0; index < 100; index++) await log.write('stdout', `${'x'.repeat(1000)}\n`.repeat(64));
      await log.write('stdout', 'the end\n');
      isDown = false;
      await log.close();
      expect(store.texts().at(-1)).to.equal('the end');
      expect(store.texts().filter((text) => text.startsWith('Log truncated: '))).to.have.length(1);
    });
  });

  describe('close', () => {
    it('gives up at its deadline and reports lost lines, also when the database does not respond', async () => {
      for (const before of [() => Promise.reject(new Error('isDown')), () => new Promise<void>(() => {})]) {
        const { store, log, warnings } = open({ deadlineMs: 200 });
        store.before = before;
        await log.write('stdout', 'a\nb\n');
        await log.close();
        expect(warnings).to.have.length(1);
        expect(warnings[0]).to.match(/last 2 log lines of run run, attempt 2, were lost/);
      }
    });

    it('happens once for several calls; later writes are dropped', async () => {
      const { store, log } = open();
      await log.write('stdout', 'a\n');
      await Promise.all([log.close(), log.close()]);
      await log.write('stdout', 'late\n');
      await log.close();
      expect(store.texts()).to.deep.equal(['a']);
    });
  });

  it('lets a stopped attempt end, with or without backpressure', async () => {
    const stop = new AbortController();
    const { store, log } = open({ signal: stop.signal, maxBytes: 64 * MIB });
    let isDown = true;
    store.before = async () => {
      if (isDown) throw new Error('isDown');
    };
    const held = log.write('stdout', 'x\n'.repeat(100_000));
    await eventually('a try', () => store.batches.length > 0);
    stop.abort();
    await held;
    await log.write('stdout', 'last words\n');
    isDown = false;
    await log.close();
    expect(store.texts().at(-1)).to.equal('last words');
  });

  describe('truncation', () => {
    it('keeps the head and the tail, with a line between that reports the omitted bytes', async () => {
      const { store, log } = open({ maxBytes: MIB });
      const all = Array.from({ length: 20_000 }, (_, index) => `line ${index} ${'x'.repeat(100)}`);
      for (let index = 0; index < all.length; index += 50)
        await log.write('stdout', `${all.slice(index, index + 50).join('\n')}\n`);
      await log.close();
      const lines = store.inOrder();
      const cut = lines.findIndex(({ stream }) => stream === 'system');
      const texts = store.texts();
      const tail = texts.slice(cut + 1);
      expect(texts.slice(0, cut)).to.deep.equal(all.slice(0, cut));
      expect(tail).to.deep.equal(all.slice(-tail.length));
      expect(cut).to.be.above(1000);
      expect(tail.length).to.be.above(500);
      const gone = all.slice(cut, -tail.length).join('\n').length + 1;
      expect(texts[cut]).to.equal(`Log truncated: ${gone} bytes omitted.`);
      expect(texts.join('\n').length).to.be.below(MIB);
      expect(lines.map(({ seq }) => seq)).to.deep.equal(lines.map((_, index) => index + 1));
    });

    it('does not happen when everything fits into head and tail', async () => {
      const { store, log } = open({ maxBytes: MIB });
      const text = `${'x'.repeat(100)}\n`.repeat(4000); // 912,000 including the cost per line
      await log.write('stdout', text);
      await log.write('stderr', 'end');
      await log.close();
      expect(store.texts()).to.have.length(4001);
      expect(store.inOrder().some(({ stream }) => stream === 'system')).to.equal(false);
      expect(store.texts().at(-1)).to.equal('end');
    });

    it('counts empty lines too', async () => {
      const { store, log } = open({ maxBytes: MIB });
      for (let index = 0; index < 100; index++) await log.write('stdout', '\n'.repeat(65536));
      await log.close();
      expect(store.lines.size).to.be.below(MIB / 128 + 10);
    });

    it('keeps the end of both streams in the order of writing', async () => {
      const { store, log } = open({ maxBytes: MIB });
      await log.write('stdout', 'x\n'.repeat(20_000));
      for (let index = 0; index < 5000; index++) await log.write(index % 2 ? 'stderr' : 'stdout', `line ${index}\n`);
      await log.close();
      const texts = store.texts();
      expect(texts.slice(-3)).to.deep.equal(['line 4997', 'line 4998', 'line 4999']);
    });
  });

  describe('with real commands', function () {
    this.timeout(30_000);
    let launcher: Launcher;
    let runner: Runner<CommandTest>;
    before(async () => {
      launcher = await createLauncher();
      runner = createCommandRunner({
        processes: createProcessRunner({ workerId: 'run-log-test', launcher, reaper: { add() {}, remove() {} } }),
      });
    });
    after(() => launcher.stop());

    it('accepts a line of 10 MB', async () => {
      const { store, log } = open({ maxBytes: 16 * MIB });
      const command = [process.execPath, program('output.mjs'), 'one-line', String(10_000_000)];
      expect(await runner.run(definitionOf(command), attemptOf({ log }))).to.include({ status: 'passed' });
      await log.close();
      expect(store.texts().at(-1)).to.equal('the last line');
      expect(store.texts().join('').length).to.be.above(10_000_000);
    });

    it('accepts a flood of 200 MB in limited memory', async () => {
      const { store, log } = open({ maxBytes: 2 * MIB });
      const command = [process.execPath, program('output.mjs'), 'flood', String(200_000_000)];
      const before = process.memoryUsage().rss;
      let highest = 0;
      const watch = setInterval(() => (highest = Math.max(highest, process.memoryUsage().rss)), 20);
      const verdict = await runner.run(definitionOf(command), attemptOf({ log }));
      await log.close();
      clearInterval(watch);
      expect(verdict).to.include({ status: 'passed' });
      expect(store.texts().at(-1)).to.equal('the last line');
      expect(highest - before, 'bytes').to.be.below(150 * MIB);
    });

    it('accepts a command that never ends, until it is stopped', async () => {
      const stop = new AbortController();
      const { store, log } = open({ maxBytes: MIB, signal: stop.signal });
      let printed = 0;
      const counted: RunLog = {
        write: (stream, output) => {
          printed += output.length;
          return log.write(stream, output);
        },
      };
      const running = runner.run(definitionOf(['yes']), attemptOf({ log: counted, signal: stop.signal }));
      await eventually('more than is kept was printed', () => store.lines.size > 3000 && printed > 4 * MIB);
      stop.abort();
      expect(await running).to.deep.equal({ status: 'stopped' });
      await log.close();
      expect(store.texts().some((text) => text.startsWith('Log truncated: '))).to.equal(true);
    });
  });
});
