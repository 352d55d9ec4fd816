import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { processIdentity } from '#scripts/lib/process-identity.mjs';
import { lastLines, startChild } from '#tools/stack/processes/child.js';
import { waitUntil } from '#tools/stack/processes/wait-until.js';

const PARENT = new URL('../../../fixtures/dev/parent-of-two.ts', import.meta.url).pathname;
const WITHIN = { timeoutMs: 5000 };

describe('a child of the local stack', function () {
  this.timeout(20_000);
  let folder: string;
  const shell = (script: string, more = {}) =>
    startChild({
      name: 'Tool',
      command: '/bin/sh',
      args: ['-c', script],
      logFile: join(folder, 'a/tool.log'),
      ...more,
    });

  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'runhook-child-'))));
  afterEach(() => rm(folder, { recursive: true }));

  it('reports how it exited and its own output, without that of earlier processes', async () => {
    await (
      await shell('echo before')
    ).exited;
    const child = await shell('echo out; echo err >&2; exit 7');
    expect(await child.exited).to.equal('exit code 7');
    expect(child.output()).to.equal('out\nerr\n');
    expect(lastLines(child)).to.equal('out\nerr');
  });

  it('is stopped with its own children if it ignores SIGTERM', async () => {
    const child = await shell(`trap '' TERM; sleep 61 & echo $!; wait; wait`, { graceMs: 100 });
    await waitUntil('It runs', () => child.output().endsWith('\n'), WITHIN);
    const grandchild = Number(child.output());
    await child.stop();
    expect(await child.exited).to.equal('SIGKILL');
    await waitUntil('The grandchild ends', () => processIdentity(grandchild) === undefined, WITHIN);
  });

  it('is stopped if it is frozen', async () => {
    const child = await shell(`trap 'exit 0' TERM; echo ready; while :; do sleep 1; done`, { graceMs: 100 });
    await waitUntil('It runs', () => child.output() === 'ready\n', WITHIN);
    process.kill(child.pid, 'SIGSTOP');
    await child.stop();
    expect(await child.exited).to.equal('SIGKILL');
  });

  it('is stopped by its signal, and not started if the signal is already aborted', async () => {
    const stop = new AbortController();
    const child = await shell('exec sleep 60', { signal: stop.signal });
    stop.abort(new Error('enough'));
    expect(await child.exited).to.equal('SIGTERM');
    expect(await shell('true', { signal: stop.signal }).catch(String)).to.equal('Error: enough');
  });

  it('reports a program that cannot be started', async () => {
    const options = { name: 'Tool', command: join(folder, 'nothing'), args: [], logFile: join(folder, 'tool.log') };
    expect(await startChild(options).catch(String)).to.match(/Could not start Tool \(.*nothing\)/);
  });

  it('does not outlive a SIGKILLed parent, even if it ignores SIGTERM', async () => {
    const args = ['--import', 'tsx', PARENT, folder];
    const parent = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = (await once(parent.stdout, 'data')) as [Buffer];
    const pids = line.toString().trim().split(' ').map(Number);
    for (const pid of pids) expect(processIdentity(pid), `process ${pid} runs`).to.be.a('string');
    parent.kill('SIGKILL');
    const ended = () => pids.every((pid) => processIdentity(pid) === undefined);
    await waitUntil('The children end', ended, { timeoutMs: 15_000 });
  });
});
