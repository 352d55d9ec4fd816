import { expect } from 'chai';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLimiter, type Limiter } from '#activities/limits/limiter.js';
import { createLauncher, type Launcher } from '#activities/processes/launcher.js';
import { createProcessRunner } from '#activities/processes/run-process.js';
import { startReaper, type Reaper } from '#activities/processes/reaper.js';
import { createRunLog } from '#activities/run-log.js';
import { createCommandRunner } from '#activities/runners/command.js';
import type { TestLimits } from '#src/domain/targets/definitions.js';
import type { LogLine } from '#src/domain/runs/log-line.js';
import { randomId } from '#src/domain/ids.js';
import type { AttemptVerdict } from '#src/domain/runs/run.js';
import {
  attemptOf,
  definitionOf,
  eventually,
  isAlive,
  processesWith,
  program,
  textLog,
} from '#test/fixtures/commands/support.js';

const MIB = 1024 * 1024;
const hostile = (...args: string[]) => [process.execPath, program('hostile.mjs'), ...args];
/** At most 2047 processes: each starts two more, ten levels deep. Bounded, because the machine is shared. */
const BOMB = ['sh', '-c', 'b() { if [ $1 -gt 0 ]; then b $(($1 - 1)) & b $(($1 - 1)) & fi; sleep 120; }; b 10'];
/** The same, each process in its own session and without a mark. */
const SCATTERED_BOMB = ['sh', '-c', 'i=0; while [ $i -lt 600 ]; do env -i setsid sleep 120 & i=$((i+1)); done; wait'];

for (const cgroups of [true, false])
  describe(`hostile commands, ${cgroups ? 'in control groups if available' : 'watched'}`, function () {
    const workerId = randomId();
    let reaper: Reaper;
    let launcher: Launcher;
    let limiter: Limiter;
    let folder: string;

    before(async () => {
      launcher = await createLauncher();
      limiter = await createLimiter({ workerId, launcher, cgroups });
      reaper = await startReaper(workerId, undefined, { groupFolders: limiter.groupFolders });
      folder = mkdtempSync(join(tmpdir(), 'runhook-hostile-'));
    });
    after(async () => {
      await launcher.stop();
      await reaper.stop();
      rmSync(folder, { recursive: true });
    });
    afterEach(async () => {
      expect(processesWith(workerId), 'processes left').to.deep.equal([]);
      expect(groups(), 'control groups left').to.deep.equal([]);
      // The worker accepts the next test.
      expect((await run(['true'])).status).to.equal('passed');
    });

    const groups = () =>
      limiter.groupFolders.flatMap((parent) => readdirSync(parent).filter((name) => name.includes(workerId)));

    function run(command: string[], limits?: TestLimits, attempt = {}): Promise<AttemptVerdict> {
      const runner = createCommandRunner({
        processes: createProcessRunner({ workerId, reaper, launcher, limiter, graceMs: 500 }),
      });
      return runner.run(definitionOf(command, limits && { limits }), attemptOf({ folder, ...attempt }));
    }

    function exceeded(verdict: AttemptVerdict, message: RegExp): void {
      expect(verdict).to.include({ status: 'error', errorCode: 'LIMIT_EXCEEDED' });
      expect(verdict.errorMessage).to.match(message);
    }

    it('ignores a test within its limits, and reports the limits in force', async () => {
      const limits = { memoryMiB: 512, processes: 64, outputMiB: 64, diskMiB: 1024 };
      const verdict = await run(['sh', '-c', 'echo fine; exit 3'], limits);
      expect(verdict).to.include({ status: 'failed', exitCode: 3 });
      const [first = ''] = verdict.limits!.split(':');
      expect(first).to.equal(limiter.means);
      expect(verdict.limits).to.match(/memory 512 MiB, 64 processes(; watched:|,) output 64 MiB, disk 1024 MiB$/);
    });

    it('reports a command that cannot be started, as without limits', async () => {
      const limits = { processes: 64, memoryMiB: 512 };
      expect((await run(['no-such-program-here'], limits)).errorMessage).to.match(
        /"no-such-program-here".*PATH.*Install/,
      );
      expect((await run(['/etc/passwd'], limits)).errorMessage).to.match(/chmod \+x/);
      const missing = await run(['true'], limits, { folder: join(folder, 'missing') });
      expect(missing.errorMessage).to.match(/working folder .* does not exist/);
    });

    it('kills a fork bomb', async () => {
      const verdict = await run(BOMB, { processes: 64 });
      exceeded(verdict, /ran more than 64 processes and threads.* limits\.processes/);
    });

    it('kills a fork bomb whose processes leave the group and clear their environment', async () => {
      const sleeping = () =>
        readdirSync('/proc').filter(
          (pid) => read(`/proc/${pid}/cmdline`) === 'sleep\x00120\x00' && isAlive(Number(pid)),
        );
      const before = sleeping();
      exceeded(await run(SCATTERED_BOMB, { processes: 64 }), /ran more than 64 processes/);
      expect(sleeping().filter((pid) => !before.includes(pid))).to.deep.equal([]);
    });

    it('kills memory hogs, the root process or a child', async () => {
      exceeded(
        await run(hostile('memory-hog', '1500'), { memoryMiB: 200 }),
        /more than 200 MiB of memory.* limits\.memoryMiB/,
      );
      exceeded(await run(hostile('memory-hog-child', '1500'), { memoryMiB: 200 }), /more than 200 MiB of memory/);
    });

    it('ends endless output', async () => {
      const log = textLog();
      exceeded(
        await run(['yes'], { outputMiB: 4 }, { log }),
        /printed more than 4 MiB and was killed.* limits\.outputMiB/,
      );
      expect(log.text().length).to.be.within(4 * MIB, 64 * MIB);
    });

    it('ends output that is a zip bomb, and an endless line', async () => {
      exceeded(
        await run(hostile('repetitive-output'), { outputMiB: 16 }, { log: discarding() }),
        /printed more than 16 MiB/,
      );
      exceeded(await run(hostile('long-line'), { outputMiB: 16 }, { log: discarding() }), /printed more than 16 MiB/);
    });

    it('ends tests that fill the disk, slowly or at once', async () => {
      exceeded(await run(hostile('disk-filler', '640'), { diskMiB: 64 }), /wrote more than 64 MiB .* limits\.diskMiB/);
      rmSync(folder, { recursive: true });
      exceeded(
        await run(['true'], { diskMiB: 64 }, { folder: tmpdir() }).then(() => quickFiller()),
        /wrote more than 8 MiB/,
      );
    });
    beforeEach(() => {
      if (!existsSync(folder)) folder = mkdtempSync(join(tmpdir(), 'runhook-hostile-'));
    });
    const quickFiller = () =>
      run(
        ['sh', '-c', 'head -c 20000000 /dev/zero | tr "\\\\0" x > filler'],
        { diskMiB: 8 },
        {
          folder: (folder = mkdtempSync(join(tmpdir(), 'runhook-hostile-'))),
        },
      );

    it('finds a double fork with a cleared environment', async () => {
      const escape = 'env -i setsid sh -c "echo pid \\$\\$; env -i setsid sleep 120 & exec sleep 120" & sleep 0.6';
      const log = textLog();
      expect((await run(['sh', '-c', escape], { processes: 64 }, { log })).status).to.equal('passed');
      expect(isAlive(Number(/pid (\d+)/.exec(log.text())?.[1]))).to.equal(false);
    });

    it('stops processes that ignore SIGTERM, close their output or disguise themselves', async () => {
      for (const way of ['ignores-sigterm', 'closes-stdout', 'other-title']) {
        const stop = new AbortController();
        const ended = run(hostile(way), { processes: 64 }, { signal: stop.signal });
        await eventually('it runs', () => processesWith(workerId).length > (way === 'ignores-sigterm' ? 0 : 1));
        stop.abort();
        expect((await ended).status, way).to.equal('stopped');
      }
    });

    it('treats control characters as text', async () => {
      const lines: LogLine[] = [];
      const runLogs = { insert: async (some: LogLine[]) => void lines.push(...some) };
      const log = createRunLog({ runLogs, runId: 'run-1', attempt: 1, delivery: 1, maxBytes: MIB });
      expect((await run(hostile('control-characters'), { outputMiB: 8 }, { log })).status).to.equal('passed');
      await log.close();
      expect(lines).to.have.length.above(2000);
    });
  });

const discarding = () => ({ write: async () => {} });

function read(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}
