import { expect } from 'chai';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createLimiter } from '#activities/limits/limiter.js';
import { createLauncher, type Launcher } from '#activities/processes/launcher.js';
import { createProcessRunner, type ProcessRunner } from '#activities/processes/run-process.js';
import { randomId } from '#src/domain/ids.js';
import { attemptOf } from '#test/fixtures/commands/support.js';

const STOP_MS = 6000;

describe('a run that is stopped while disk usage is measured', () => {
  const { PATH } = process.env;
  let folder: string;
  let launcher: Launcher;
  let processes: ProcessRunner;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'runhook-disk-use-'));
    process.env.PATH = `${folder}${delimiter}${PATH}`;
    launcher = await createLauncher();
    const workerId = randomId();
    const limiter = await createLimiter({ workerId, launcher, cgroups: false });
    processes = createProcessRunner({ workerId, launcher, limiter, reaper: { add() {}, remove() {} } });
  });
  after(async () => {
    process.env.PATH = PATH;
    await launcher.stop();
    rmSync(folder, { recursive: true });
  });

  /** Replaces the system's `du`. */
  function useDu(script: string): void {
    const file = join(folder, 'du');
    writeFileSync(file, `#!/bin/sh\n${script}\n`);
    chmodSync(file, 0o755);
  }

  /** Runs a command that is stopped after a second. */
  async function stoppedRun(command: string[]) {
    const { signal, log } = attemptOf({ signal: AbortSignal.timeout(1000) });
    const startedAt = performance.now();
    const end = await processes.run(
      { command, cwd: folder, env: { PATH: PATH! }, limits: { diskMiB: 1 } },
      { log, signal },
    );
    return { end, tookMs: performance.now() - startedAt };
  }

  it('ends, before the command has started', async () => {
    useDu('exec sleep 60');
    const { end, tookMs } = await stoppedRun(['true']);
    expect(end).to.include({ status: 'stopped' });
    expect(tookMs).to.be.below(1000 + STOP_MS);
  });

  it('ends, after the command has ended', async () => {
    useDu(`[ -e ${folder}/measured ] && exec sleep 60; touch ${folder}/measured; echo 4`);
    const { end, tookMs } = await stoppedRun(['true']);
    expect(end).to.include({ code: 0 });
    expect(tookMs).to.be.below(1000 + STOP_MS);
  });
});
