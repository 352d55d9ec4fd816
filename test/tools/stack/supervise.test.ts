import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { startChild } from '#tools/stack/processes/child.js';
import { waitUntil } from '#tools/stack/processes/wait-until.js';
import { supervise, type Service } from '#tools/stack/supervise.js';

const WITHIN = { timeoutMs: 5000 };

describe('supervise', () => {
  let folder: string;
  let lines: string[];
  let changes: number;
  let stop: AbortController;
  const fast = () => ({
    signal: stop.signal,
    log: (line: string) => void lines.push(line),
    onChange: () => void changes++,
    firstDelayMs: 20,
    maxDelayMs: 60,
  });
  /** A real process that runs a line of shell. */
  const shell = (script: string): Service => ({
    name: 'Tool',
    start: (signal) =>
      startChild({ name: 'Tool', command: '/bin/sh', args: ['-c', script], logFile: join(folder, 'tool.log'), signal }),
  });

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'runhook-supervise-'));
    [lines, changes, stop] = [[], 0, new AbortController()];
  });
  afterEach(async () => {
    stop.abort();
    await rm(folder, { recursive: true });
  });

  it('restarts a killed process and logs it', async () => {
    const tool = await supervise(shell('exec sleep 60'), fast());
    const first = tool.current()!.pid;
    process.kill(first, 'SIGKILL');
    await waitUntil('It runs again', () => tool.current() !== undefined && tool.current()!.pid !== first, WITHIN);
    await waitUntil('Both changes are reported', () => changes === 2, WITHIN);
    expect(lines).to.deep.equal([
      'Tool exited (SIGKILL). Restarting in 0.02 s.',
      `Tool is running again (process ${tool.current()!.pid}).`,
    ]);
    stop.abort();
    await tool.ended;
  });

  it('increases the backoff for a process that keeps exiting', async () => {
    const tool = await supervise(shell('echo started; exit 3'), fast());
    await waitUntil('Four exits', () => lines.filter((line) => line.includes('exited')).length >= 4, WITHIN);
    stop.abort();
    await tool.ended;
    const waits = lines.flatMap((line) => /exited \(exit code 3\)\. Restarting in (\S+) s/.exec(line)?.[1] ?? []);
    expect(waits.slice(0, 4)).to.deep.equal(['0.02', '0.04', '0.06', '0.06']);
    expect((await readFile(join(folder, 'tool.log'), 'utf8')).split('started').length - 1).to.be.at.least(4);
  });

  it('retries when a restart fails', async () => {
    let starts = 0;
    const good = shell('exec sleep 60');
    const service: Service = {
      name: 'Tool',
      start: async (signal) => {
        if (++starts === 2) throw new Error('port taken');
        return await good.start(signal);
      },
    };
    const tool = await supervise(service, fast());
    process.kill(tool.current()!.pid, 'SIGKILL');
    await waitUntil('It runs again', () => starts === 3 && tool.current() !== undefined, WITHIN);
    expect(lines[1]).to.equal('Tool failed to start: port taken. Restarting in 0.04 s.');
    stop.abort();
    await tool.ended;
  });

  it('restarts without backoff on request', async () => {
    const tool = await supervise(shell('exec sleep 60'), { ...fast(), firstDelayMs: 60_000 });
    const first = tool.current()!.pid;
    await tool.restart();
    await waitUntil('It runs again', () => tool.current() !== undefined && tool.current()!.pid !== first, WITHIN);
    stop.abort();
    await tool.ended;
  });

  it('stops a process that waits for its restart', async () => {
    const tool = await supervise(shell('exit 1'), { ...fast(), firstDelayMs: 60_000, maxDelayMs: 60_000 });
    await waitUntil('It waits', () => lines.length === 1, WITHIN);
    stop.abort();
    await tool.ended;
    expect(tool.current()).to.equal(undefined);
  });

  it('throws the error of the first start', async () => {
    const service: Service = { name: 'Tool', start: () => Promise.reject(new Error('no such file')) };
    expect(await supervise(service, fast()).catch(String)).to.equal('Error: no such file');
  });
});
