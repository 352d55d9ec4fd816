import { expect } from 'chai';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createProcessRunner } from '#activities/processes/run-process.js';
import type { Attempt } from '#activities/runners/runner.js';
import { withTimeLimit } from '#activities/time-limit.js';
import { createCommandRunner } from '#activities/runners/command.js';
import { createLauncher, type Launcher } from '#activities/processes/launcher.js';
import { startReaper, type Reaper } from '#activities/processes/reaper.js';
import type { CommandTest } from '#src/domain/targets/definitions.js';
import { randomId } from '#src/domain/ids.js';
import {
  attemptOf,
  definitionOf,
  eventually,
  isAlive,
  pidsIn,
  processesWith,
  program,
  textLog,
} from '#test/fixtures/commands/support.js';

describe('createCommandRunner', () => {
  const workerId = randomId();
  const node = process.execPath;
  let reaper: Reaper;
  let launcher: Launcher;
  let folder: string;

  before(async () => {
    reaper = await startReaper(workerId);
    launcher = await createLauncher();
    folder = mkdtempSync(join(tmpdir(), 'runhook-command-'));
  });
  after(async () => {
    await launcher.stop();
    await reaper.stop();
    rmSync(folder, { recursive: true });
  });
  afterEach(() => expect(processesWith(workerId), 'processes left').to.deep.equal([]));

  /** With what surrounds every runner: the time limit, the folder and the variables of the definition. */
  const runnerWith = (graceMs?: number) => {
    const processes = createProcessRunner({ workerId, reaper, launcher, ...(graceMs && { graceMs }) });
    const runner = createCommandRunner({ processes });
    return {
      run: (definition: CommandTest, attempt: Attempt) => {
        const variables = { ...definition.env, ...attempt.variables };
        return withTimeLimit(definition.timeoutMs, attempt.signal, (signal) =>
          runner.run(definition, { ...attempt, folder: definition.cwd!, variables, signal }),
        );
      },
    };
  };
  const sh = (script: string, more: Partial<CommandTest> = {}) => definitionOf(['sh', '-c', script], more);
  const run = (definition: CommandTest, more = {}) => runnerWith().run(definition, attemptOf(more));

  describe('verdicts', () => {
    it('passes on exit code 0 and fails on others, with the code', async () => {
      expect(await run(sh('exit 0'))).to.deep.equal({ status: 'passed', exitCode: 0 });
      expect(await run(sh('exit 7'))).to.deep.equal({ status: 'failed', exitCode: 7 });
    });

    it('names a missing command', async () => {
      const verdict = await run(definitionOf(['no-such-program-here']));
      expect(verdict).to.include({ status: 'error', errorCode: 'COMMAND_NOT_FOUND' });
      expect(verdict.errorMessage).to.match(/"no-such-program-here".*PATH.*Install/);
    });

    it('reports a missing working folder, and one that is not a folder', async () => {
      const missing = await run(definitionOf(['true'], { cwd: '/no/such/folder' }));
      expect(missing).to.include({ status: 'error', errorCode: 'COMMAND_NOT_FOUND' });
      expect(missing.errorMessage).to.match(/working folder \/no\/such\/folder does not exist/);
      const file = await run(definitionOf(['true'], { cwd: '/etc/hostname' }));
      expect(file).to.include({ status: 'error', errorCode: 'COMMAND_NOT_FOUND' });
      expect(file.errorMessage).to.match(/\/etc\/hostname is not a folder/);
    });

    it('distinguishes a file that is not executable from one whose interpreter is missing', async () => {
      const script = join(folder, 'script');
      writeFileSync(script, '#!/no/such/interpreter\n', { mode: 0o644 });
      const locked = await run(definitionOf(['./script'], { cwd: folder }));
      expect(locked.errorCode).to.equal('COMMAND_NOT_FOUND');
      expect(locked.errorMessage).to.match(/chmod \+x/);
      chmodSync(script, 0o755);
      const headless = await run(definitionOf(['./script'], { cwd: folder }));
      expect(headless.errorCode).to.equal('COMMAND_NOT_FOUND');
      expect(headless.errorMessage).to.match(/interpreter/);
    });

    it('reports too many or invalid arguments', async () => {
      const large = await run(definitionOf(['true', 'x'.repeat(4_000_000)]));
      expect(large.errorCode).to.equal('COMMAND_NOT_FOUND');
      expect(large.errorMessage).to.match(/too many or too large arguments/);
      const impossible = await run(definitionOf(['true', 'a\0b']));
      expect(impossible.errorCode).to.equal('COMMAND_NOT_FOUND');
      expect(impossible.errorMessage).to.match(/null bytes/);
    });

    it('ends a test at its timeout', async () => {
      const verdict = await run(sh('sleep 300', { timeoutMs: 100 }));
      expect(verdict).to.include({ status: 'error', errorCode: 'TEST_TIMEOUT' });
      expect(verdict.errorMessage).to.match(/after 0.1 s/);
    });

    it('names the signal that killed the test, and memory for SIGKILL', async () => {
      const killed = await run(sh('kill -KILL $$'));
      expect(killed).to.include({ status: 'error', errorCode: 'KILLED' });
      expect(killed.errorMessage).to.match(/SIGKILL.*memory/);
      const crashed = await run(sh('kill -SEGV $$'));
      expect(crashed.errorMessage)
        .to.match(/SIGSEGV/)
        .and.not.match(/memory/);
    });

    it('starts nothing if it is already stopped', async () => {
      const file = join(folder, 'started');
      const verdict = await run(sh(`touch ${file}`), { signal: AbortSignal.abort() });
      expect(verdict).to.deep.equal({ status: 'stopped' });
      expect(() => chmodSync(file, 0o600)).to.throw('ENOENT');
    });
  });

  describe('environment', () => {
    it("contains the allow-list, the test's variables and Runhook's own; never the service's secrets", async () => {
      process.env.RUNHOOK_SECRET_KEYS = 'canary';
      process.env.MONGODB_URL = 'mongodb://canary';
      try {
        const log = textLog();
        const env = { BASE: 'http://shop', RUNHOOK_RUN_ID: 'forged', RUNHOOK_COLOR: 'blue' };
        const variables = { BASE: 'http://staging', RUNHOOK_ATTEMPT: 'forged' };
        await run(definitionOf(['env'], { env }), { log, runId: 'run-9', testId: 'test-9', number: 3, variables });
        const seen = Object.fromEntries(
          log
            .text()
            .trim()
            .split('\n')
            .map((line) => line.split('=') as [string, string]),
        );
        expect(seen).to.include({
          BASE: 'http://staging',
          CI: 'true',
          RUNHOOK_RUN_ID: 'run-9',
          RUNHOOK_TEST_ID: 'test-9',
          RUNHOOK_ATTEMPT: '3',
          RUNHOOK_COLOR: 'blue',
          PATH: process.env.PATH,
        });
        const allowed = ['PATH', 'HOME', 'LANG', 'TMPDIR', 'CI', 'BASE', 'RUNHOOK_COLOR', 'RUNHOOK_EXECUTION'];
        const ours = ['RUNHOOK_RUN_ID', 'RUNHOOK_TEST_ID', 'RUNHOOK_ATTEMPT', 'RUNHOOK_WORKER_ID'];
        expect([...allowed, ...ours]).to.include.members(Object.keys(seen));
        expect(log.text()).not.to.include('canary');
      } finally {
        delete process.env.RUNHOOK_SECRET_KEYS;
        delete process.env.MONGODB_URL;
      }
    });

    it('passes arguments without a shell, in the working folder', async () => {
      const log = textLog();
      await run(definitionOf([node, '-p', 'process.cwd() + process.argv[1]', '$(id) *'], { cwd: folder }), { log });
      expect(log.text()).to.equal(`${folder}$(id) *\n`);
    });
  });

  describe('end of all processes', () => {
    /** Starts tree.mjs, and stops it when it has printed its process ids. */
    async function stopTree(args: string[], graceMs: number) {
      const log = textLog();
      const stop = new AbortController();
      const running = runnerWith(graceMs).run(
        definitionOf([node, program('tree.mjs'), ...args]),
        attemptOf({ log, signal: stop.signal }),
      );
      await eventually('pids', () => pidsIn(log.text()).length === 3);
      const pids = pidsIn(log.text());
      expect(pids.map(isAlive)).to.deep.equal([true, true, true]);
      const stoppedAt = performance.now();
      stop.abort();
      const verdict = await running;
      return { verdict, alive: pids.filter(isAlive), tookMs: performance.now() - stoppedAt };
    }

    it('kills children, including those outside the group, before the grace period ends', async () => {
      const graceMs = 60_000;
      const { verdict, alive, tookMs } = await stopTree([], graceMs);
      expect(verdict).to.deep.equal({ status: 'stopped' });
      expect(alive).to.deep.equal([]);
      expect(tookMs).to.be.below(graceMs);
    });

    it('kills processes that ignore SIGTERM after the grace period, and not before', async () => {
      const { verdict, alive, tookMs } = await stopTree(['--deaf'], 300);
      expect(verdict).to.deep.equal({ status: 'stopped' });
      expect(alive).to.deep.equal([]);
      expect(tookMs).to.be.at.least(290);
    });

    it('gives the children of a shell that has exited the rest of the grace period', async () => {
      const log = textLog();
      const stop = new AbortController();
      const child = 'trap "sleep 0.2; echo tidied up; exit" TERM; echo ready; while :; do sleep 0.05; done';
      const running = run(sh(`sh -c '${child}' & wait`), { log, signal: stop.signal });
      await eventually('ready', () => log.text().includes('ready'));
      stop.abort();
      expect(await running).to.deep.equal({ status: 'stopped' });
      expect(log.text()).to.include('tidied up');
    });

    it('does not wait for leftover processes that hold the output, and kills them', async () => {
      const log = textLog();
      const verdict = await run(definitionOf([node, program('tree.mjs'), '--leave', '--deaf']), { log });
      expect(verdict).to.deep.equal({ status: 'passed', exitCode: 0 });
      expect(pidsIn(log.text())).to.have.length(3);
      expect(pidsIn(log.text()).filter(isAlive)).to.deep.equal([]);
    });

    it('kills processes in the group that cleared their environment', async () => {
      const log = textLog();
      await run(sh('env -i sleep 300 & echo pid $!'), { log });
      const [, pid] = /pid (\d+)/.exec(log.text()) ?? [];
      expect(isAlive(Number(pid))).to.equal(false);
    });

    it('does not wait for a hidden process that holds the output', async () => {
      const log = textLog();
      // Left the group and cleared its environment: it cannot be found, so this test must end it.
      const verdict = await run(sh('env -i /usr/bin/setsid sh -c "echo hidden \\$\\$; sleep 300" & sleep 0.3'), {
        log,
      });
      expect(verdict.status).to.equal('passed');
      const [, pid] = /hidden (\d+)/.exec(log.text()) ?? [];
      process.kill(-Number(pid), 'SIGKILL');
    });
  });

  describe('output', () => {
    it('is complete and in order', async () => {
      const log = textLog();
      await run(definitionOf([node, program('output.mjs'), 'flood', String(3_000_000)]), { log });
      expect(log.text()).to.match(/^(a line of some output\n)+the last line\n$/);
      expect(log.text().length).to.be.above(3_000_000);
    });

    it('waits for a slow log for longer than for a pipe that is held open', async () => {
      let freed = () => {};
      const blocked = new Promise<void>((resolve) => (freed = resolve));
      const chunks: string[] = [];
      const log = {
        async write(_stream: string, chunk: Buffer | string) {
          await blocked;
          chunks.push(String(chunk));
        },
      };
      let ended = false;
      const running = run(sh('echo one; echo two >&2'), { log }).finally(() => (ended = true));
      await new Promise((resolve) => setTimeout(resolve, 1300)); // Deliberately longer than the drain.
      expect(ended).to.equal(false);
      freed();
      await running;
      expect(chunks.sort()).to.deep.equal(['one\n', 'two\n']);
    });

    it('rejects if the log does, after the test has run to its end', async () => {
      const file = join(folder, 'ended');
      const log = { write: () => Promise.reject(new Error('no log')) };
      const error = await run(sh(`seq 100000; touch ${file}`), { log }).then(
        () => undefined,
        (reason: Error) => reason,
      );
      expect(error?.message).to.equal('no log');
      chmodSync(file, 0o600);
    });
  });

  it('runs the same run twice concurrently without one ending the other', async () => {
    const runner = runnerWith();
    const stop = new AbortController();
    const log = textLog();
    const first = runner.run(sh('echo ready; sleep 300'), attemptOf({ log, signal: stop.signal }));
    await eventually('ready', () => log.text().includes('ready'));
    const other = runner.run(sh(`while [ ! -e ${join(folder, 'go')} ]; do sleep 0.05; done`), attemptOf());
    stop.abort();
    await first;
    writeFileSync(join(folder, 'go'), '');
    expect(await other).to.deep.equal({ status: 'passed', exitCode: 0 });
  });
});
