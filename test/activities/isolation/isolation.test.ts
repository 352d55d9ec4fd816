import { expect } from 'chai';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createIsolation, type Isolation } from '#activities/isolation/isolation.js';
import type { Sandbox } from '#activities/isolation/sandbox.js';
import { createLimiter, type Limiter } from '#activities/limits/limiter.js';
import { createLauncher, type Launcher } from '#activities/processes/launcher.js';
import { startReaper, type Reaper } from '#activities/processes/reaper.js';
import { createProcessRunner } from '#activities/processes/run-process.js';
import type { Attempt } from '#activities/runners/runner.js';
import { createCommandRunner } from '#activities/runners/command.js';
import { randomId } from '#src/domain/ids.js';
import type { TestLimits } from '#src/domain/targets/definitions.js';
import {
  attemptOf,
  definitionOf,
  eventually,
  isAlive,
  processesWith,
  textLog,
} from '#test/fixtures/commands/support.js';
import { pathWithBubblewrap } from '#test/support/debian/bubblewrap.js';

const CANARY = `canary-${randomId()}`;

describe('commands in namespaces', () => {
  const workerId = randomId();
  let root: string;
  let reaper: Reaper;
  let launcher: Launcher;
  let limiter: Limiter;
  let isolation: Isolation;
  let path: string;

  before(async function () {
    this.timeout(120_000);
    path = await pathWithBubblewrap(() => {});
    root = realpathSync(mkdtempSync(join(tmpdir(), 'runhook-isolation-')));
    launcher = await createLauncher();
    limiter = await createLimiter({ workerId, launcher });
    reaper = await startReaper(workerId, undefined, { groupFolders: limiter.groupFolders });
    isolation = await createIsolation({ requested: 'namespaces', toolFolders: [], folder: launcher.folder, path });
    process.env.RUNHOOK_CANARY = CANARY;
  });
  after(async () => {
    delete process.env.RUNHOOK_CANARY;
    await launcher.stop();
    await reaper.stop();
    rmSync(root, { recursive: true });
  });
  afterEach(() => expect(processesWith(workerId), 'processes left').to.deep.equal([]));

  let attempts = 0;

  /** The folders of one attempt, which are empty. */
  function sandboxOf(): Sandbox {
    const folder = join(root, String(++attempts));
    const [home, tmp, files] = ['home', 'tmp', 'files'].map((name) => join(folder, name)) as [string, string, string];
    for (const one of [home, tmp, files]) mkdirSync(one, { recursive: true });
    return { home, tmp, readable: [], writable: [files], hidden: [] };
  }

  async function run(command: string[], more: Partial<Attempt> & { limits?: TestLimits } = {}) {
    const { limits, sandbox = sandboxOf(), ...attempt } = more;
    const log = textLog();
    const runner = createCommandRunner({
      processes: createProcessRunner({ workerId, reaper, launcher, limiter, isolation, graceMs: 1000 }),
    });
    const verdict = await runner.run(
      definitionOf(command, limits && { limits }),
      attemptOf({ log, folder: sandbox.writable[0]!, sandbox, ...attempt }),
    );
    return { verdict, text: log.text() };
  }

  const sh = (script: string, more?: Parameters<typeof run>[1]) => run(['sh', '-c', script], more);

  it('state their isolation in the verdict', async () => {
    const { verdict } = await sh('exit 3');
    expect(verdict).to.include({ status: 'failed', exitCode: 3, isolation: 'namespaces' });
  });

  describe('cannot read', () => {
    it('the environment and arguments of other processes', async () => {
      const { verdict, text } = await sh(
        'cat /proc/*/environ /proc/*/cmdline | tr "\\0" "\\n"; ls -d /proc/[0-9]* | wc -l',
      );
      expect(verdict.status).to.equal('passed');
      expect(text).to.not.include(CANARY);
      expect(text).to.not.include(process.execPath);
      expect(Number(text.trim().split('\n').at(-1))).to.be.below(8);
    });

    it('files of the worker, of other attempts and of people', async () => {
      const other = sandboxOf();
      writeFileSync(join(other.writable[0]!, 'secret'), CANARY);
      writeFileSync(join(other.home, 'secret'), CANARY);
      const paths = [other.writable[0], other.home, other.tmp, launcher.folder, process.cwd(), '/root', '/home/*/.ssh'];
      const { text } = await sh(`cat ${paths.map((one) => `${one}/*`).join(' ')} /etc/shadow; ls -A /root /home /tmp`);
      expect(text).to.not.include(CANARY);
      expect(text).to.include('/etc/shadow: No such file');
      expect(text.match(/^test$/m), text).to.not.equal(null);
    });

    it('through a link in their own folder', async () => {
      const [mine, other] = [sandboxOf(), sandboxOf()];
      writeFileSync(join(other.writable[0]!, 'secret'), CANARY);
      symlinkSync(join(other.writable[0]!, 'secret'), join(mine.writable[0]!, 'link'));
      const { verdict, text } = await sh('cat link', { sandbox: mine });
      expect(verdict.status).to.equal('failed');
      expect(text).to.include('No such file');
    });

    it('control groups and devices of the machine', async () => {
      const { text } = await sh('ls -d /dev/null /dev/sda* /dev/mem /dev/kmsg /sys/fs/cgroup 2>/dev/null');
      expect(text).to.equal('/dev/null\n');
    });
  });

  describe('cannot change', () => {
    it('the system, tools and settings of the kernel', async () => {
      const { verdict, text } = await sh(
        // Opened for writing, but nothing is written: a failure must not change this machine.
        'for f in /usr/x /bin/x /etc/x /proc/sys/kernel/core_pattern /proc/sysrq-trigger; do true >> $f && echo "wrote $f"; done; true',
      );
      expect(verdict.status).to.equal('passed');
      // /etc is a folder of the sandbox itself, which nobody else sees.
      expect(text.match(/wrote (?!\/etc\/)/g)).to.equal(null);
    });

    it('their mounts', async () => {
      const { text } = await sh(
        'umount /proc; mount -t tmpfs none /mnt; mount -o remount,rw /usr; echo x > /usr/x && echo wrote; true',
      );
      expect(text).to.not.include('wrote');
    });

    it('or see other processes by signals', async () => {
      const { text } = await sh(`kill -0 ${process.pid} && echo seen; kill -9 -1; echo over`);
      expect(text).to.not.include('seen');
    });
  });

  it('have a home folder and a folder for temporary files of their own, and keep what they write to their own folder', async () => {
    const sandbox = sandboxOf();
    const script = 'cd && pwd && touch file && touch $TMPDIR/file /var/tmp/other && cd - && touch kept && id -un';
    const { verdict, text } = await sh(script, { sandbox });
    expect(verdict.status, text).to.equal('passed');
    expect(text).to.include('/home/test').and.include('test');
    const again = await sh('ls ~ $TMPDIR; ls', { sandbox });
    expect(again.text).to.include('file').and.include('other').and.include('kept');
  });

  it('run Node.js, npm and Git', async () => {
    const { verdict, text } = await sh(
      'node -e "console.log(os.userInfo().username)" && npm --version && git init -q . && git status --short',
    );
    expect(verdict.status, text).to.equal('passed');
    expect(text).to.include('test');
  });

  it('leave no process, even one in a session of its own', async () => {
    const mark = `leftover-${randomId()}`;
    const { verdict } = await sh(`env -i MARK=${mark} setsid sh -c 'sleep 120' >/dev/null 2>&1 & sleep 0.2; exit 0`);
    expect(verdict.status).to.equal('passed');
    expect(processesWith(mark)).to.deep.equal([]);
  });

  it('receive SIGTERM when they are stopped, and have time to clean up', async () => {
    const stop = new AbortController();
    const sandbox = sandboxOf();
    const running = sh('trap "echo cleaned; exit 0" TERM; echo ready > ready; while :; do sleep 0.05; done', {
      sandbox,
      signal: stop.signal,
    });
    await eventually('it runs', () => existsIn(sandbox, 'ready'));
    stop.abort();
    const { verdict, text } = await running;
    expect(verdict.status).to.equal('stopped');
    expect(text).to.include('cleaned');
  });

  it('are killed when they ignore it', async () => {
    const stop = new AbortController();
    const sandbox = sandboxOf();
    const running = sh('trap "" TERM; echo $$ > ready; while :; do sleep 0.05; done', { sandbox, signal: stop.signal });
    await eventually('it runs', () => existsIn(sandbox, 'ready'));
    stop.abort();
    expect((await running).verdict.status).to.equal('stopped');
  });

  it('that SIGKILL ends have the error KILLED', async () => {
    const { verdict } = await sh('kill -9 $$');
    expect(verdict).to.include({ status: 'error', errorCode: 'KILLED' });
  });

  it('that are missing, or exist only outside, are reported', async () => {
    expect((await run(['no-such-program-here'])).verdict.errorMessage).to.match(/not found in PATH/);
    const outside = join(root, 'tool.sh');
    writeFileSync(outside, '#!/bin/sh\n', { mode: 0o755 });
    const { verdict } = await run([outside]);
    expect(verdict).to.include({ status: 'error', errorCode: 'COMMAND_NOT_FOUND' });
    expect(verdict.errorMessage).to.include('RUNHOOK_TOOL_FOLDERS');
  });

  it('are held to their limits', async () => {
    const bomb = 'b() { if [ $1 -gt 0 ]; then b $(($1 - 1)) & b $(($1 - 1)) & fi; sleep 120; }; b 9';
    const { verdict } = await sh(bomb, { limits: { processes: 64 } });
    expect(verdict).to.include({ status: 'error', errorCode: 'LIMIT_EXCEEDED' });
  });

  it('end with their worker', async () => {
    const sandbox = sandboxOf();
    const running = sh('sleep 120 & echo started > ready; wait', { sandbox }).catch((error: Error) => error.name);
    await eventually('it runs', () => existsIn(sandbox, 'ready'));
    const inside = processesWith(workerId);
    expect(inside).to.have.length.above(1);
    await launcher.stop();
    await eventually('they end', () => inside.every((pid) => !isAlive(pid)));
    await running;
    launcher = await createLauncher();
    isolation = await createIsolation({ requested: 'namespaces', toolFolders: [], folder: launcher.folder, path });
  });
});

describe('isolation', () => {
  const options = { toolFolders: [], folder: tmpdir() };

  it('is none where bubblewrap is missing, with what to do about it', async () => {
    const isolation = await createIsolation({ ...options, requested: 'auto', path: '/nonexistent' });
    expect(isolation.level).to.equal('none');
    expect(isolation.reason).to.match(/not installed.*apt-get install bubblewrap/);
  });

  it('stops the worker where it is required and does not work', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'runhook-isolation-'));
    writeFileSync(join(folder, 'bwrap'), '#!/bin/sh\necho "No permissions to create new namespace" >&2; exit 1\n', {
      mode: 0o755,
    });
    const failure = await createIsolation({ ...options, folder, requested: 'namespaces', path: folder }).then(
      () => undefined,
      (error: Error) => error.message,
    );
    expect(failure).to.match(/RUNHOOK_ISOLATION is namespaces, but bubblewrap does not work.*No permissions/);
    rmSync(folder, { recursive: true });
  });

  it('is not taken for granted: a sandbox that shows the machine is not used', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'runhook-isolation-'));
    // Starts the program without any isolation.
    const open = '#!/bin/sh\nwhile [ "$1" != -- ]; do shift; done; shift; exec "$@"\n';
    writeFileSync(join(folder, 'bwrap'), open, { mode: 0o755 });
    const isolation = await createIsolation({ ...options, folder, requested: 'auto', path: folder });
    expect(isolation.level).to.equal('none');
    expect(isolation.reason).to.include('the processes of the machine are visible');
    rmSync(folder, { recursive: true });
  });
});

function existsIn({ writable: [folder = ''] }: Sandbox, name: string): boolean {
  try {
    realpathSync(join(folder, name));
    return true;
  } catch {
    return false;
  }
}
