import { expect } from 'chai';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { startReaper } from '#activities/processes/reaper.js';
import { randomId } from '#src/domain/ids.js';
import { eventually, isAlive, pidsIn, processesWith, program } from '#test/fixtures/commands/support.js';

describe('startReaper', () => {
  const children: ChildProcess[] = [];
  const workerIds: string[] = [];
  afterEach(() => {
    children.splice(0).forEach((child) => child.kill('SIGKILL'));
    // A failing test must not leave processes either.
    for (const id of workerIds.splice(0)) processesWith(id).forEach((pid) => process.kill(pid, 'SIGKILL'));
  });

  /** Starts the fixture worker; `output` collects what it prints. */
  function startWorker(workerId: string, ...args: string[]) {
    const child = spawn(process.execPath, ['--import', 'tsx', program('worker.ts'), workerId, ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    workerIds.push(workerId);
    let output = '';
    child.stdout.on('data', (chunk) => (output += String(chunk)));
    return { child, output: () => output, reaperPid: () => Number(/^reaper (\d+)$/m.exec(output)?.[1]) };
  }

  /** A process group that sleeps like a test. */
  function startGroup(env: Record<string, string> = {}) {
    const child = spawn('sleep', ['300'], { detached: true, stdio: 'ignore', env: { PATH: process.env.PATH, ...env } });
    children.push(child);
    return child.pid!;
  }

  it('kills the tests of a SIGKILLed worker with their descendants, and exits', async () => {
    const workerId = randomId();
    const worker = startWorker(workerId, '2');
    await eventually('pids of two tests', () => pidsIn(worker.output()).length === 6);
    const pids = pidsIn(worker.output());
    expect(pids.filter(isAlive)).to.have.length(6);
    worker.child.kill('SIGKILL');
    await eventually('all tests gone', () => !pids.some(isAlive));
    await eventually('the reaper gone', () => !isAlive(worker.reaperPid()));
    expect(processesWith(workerId)).to.deep.equal([]);
  });

  it("finds tests that were started at the moment of the worker's death", async () => {
    const workerId = randomId();
    const worker = startWorker(workerId, '5', 'die');
    const [, signal] = (await once(worker.child, 'exit')) as [number | null, string | null];
    expect(signal).to.equal('SIGKILL');
    expect(worker.reaperPid()).to.be.above(0);
    await eventually('the reaper gone', () => !isAlive(worker.reaperPid()));
    expect(processesWith(workerId)).to.deep.equal([]);
  });

  it('survives what kills a worker, is not in its group, and has no secrets in its environment', async () => {
    process.env.RUNHOOK_SECRET_KEYS = 'canary';
    const group = startGroup();
    const reaper = await startReaper(randomId());
    try {
      const pid = reaper.pid!;
      await eventually(
        'the reaper listening',
        () => readFileSync(`/proc/${pid}/comm`, 'latin1') === 'runhook-reaper\n',
      );
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(pid, signal);
      expect(readFileSync(`/proc/${pid}/environ`, 'latin1')).to.equal('');
      const [, , pgrp, session] = readFileSync(`/proc/${pid}/stat`, 'latin1')
        .replace(/^.*\) /s, '')
        .split(' ');
      expect([Number(pgrp), Number(session)]).to.deep.equal([pid, pid]);
      reaper.add(group);
      await reaper.stop();
      // It survived and did its work.
      await eventually('the group gone', () => !isAlive(group));
      expect(isAlive(pid)).to.equal(false);
    } finally {
      delete process.env.RUNHOOK_SECRET_KEYS;
      await reaper.stop();
    }
  });

  it('is restarted when it is killed, and receives the running groups', async () => {
    const [ended, running] = [startGroup(), startGroup()];
    const warnings: string[] = [];
    const reaper = await startReaper(randomId(), (message) => warnings.push(message));
    const first = reaper.pid!;
    reaper.add(ended);
    reaper.add(running);
    reaper.remove(ended);
    process.kill(first, 'SIGKILL');
    await eventually('another reaper', () => reaper.pid !== undefined && reaper.pid !== first);
    expect(warnings).to.have.length(1);
    expect(warnings[0]).to.match(/reaper process of this worker exited \(SIGKILL\)/);
    await reaper.stop();
    await eventually('the running group gone', () => !isAlive(running));
    expect(isAlive(ended)).to.equal(true);
  });

  it("does not touch another worker's tests", async () => {
    const [mine, other] = [randomId(), randomId()];
    const escaped = startGroup({ RUNHOOK_WORKER_ID: mine, RUNHOOK_EXECUTION: '1' });
    const foreign = startGroup({ RUNHOOK_WORKER_ID: other, RUNHOOK_EXECUTION: '1' });
    const reaper = await startReaper(mine);
    await reaper.stop();
    await eventually('the unregistered process gone', () => !isAlive(escaped));
    expect(isAlive(foreign)).to.equal(true);
  });

  it('does not keep a worker alive that forgets to stop it', async () => {
    const script = `import(${JSON.stringify(new URL('../../../activities/processes/reaper.ts', import.meta.url).href)})
      .then(async ({ startReaper }) => console.log((await startReaper('forgetful')).pid));`;
    const child = spawn(process.execPath, ['--import', 'tsx', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    children.push(child);
    const [[pid], [code]] = await Promise.all([once(child.stdout, 'data'), once(child, 'exit')]);
    expect(code).to.equal(0);
    await eventually('the reaper gone', () => !isAlive(Number(pid)));
  });
});
