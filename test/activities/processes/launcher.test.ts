import { expect } from 'chai';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { createProcessRunner } from '#activities/processes/run-process.js';
import { createCommandRunner } from '#activities/runners/command.js';
import { createLauncher, LauncherLostError, type Launcher, type TestProcess } from '#activities/processes/launcher.js';
import { supervise } from '#activities/processes/supervise.js';
import { randomId } from '#src/domain/ids.js';
import {
  attemptOf,
  definitionOf,
  eventually,
  isAlive,
  processesWith,
  program,
} from '#test/fixtures/commands/support.js';

const parentOf = (pid: number) =>
  Number(
    readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ')[1],
  );

describe('createLauncher', () => {
  const env = { PATH: process.env.PATH! };
  let launcher: Launcher;
  before(async () => (launcher = await createLauncher()));
  after(() => launcher.stop());

  async function launch(command: string[]): Promise<TestProcess> {
    return (await launcher.launch({ command, cwd: '/', env })) as TestProcess;
  }

  it('keeps the output of each process complete and separate, and reports its exit', async () => {
    const many = Array.from({ length: 20 }, async (_, number) => {
      const { stdout, stderr, exited } = await launch([
        'sh',
        '-c',
        `echo out ${number}; echo err ${number} >&2; exit ${number}`,
      ]);
      expect(await Promise.all([text(stdout), text(stderr), exited])).to.deep.equal([
        `out ${number}\n`,
        `err ${number}\n`,
        { code: number, signal: null },
      ]);
    });
    await Promise.all(many);
  });

  it('passes on output larger than any buffer, and blocks the test until it is read', async () => {
    const { stdout, exited } = await launch(['head', '-c', '5000000', '/dev/zero']);
    let over = false;
    void exited.then(() => (over = true));
    await once(stdout, 'readable');
    expect(over).to.equal(false);
    expect(await text(stdout)).to.have.length(5_000_000);
    expect(await exited).to.deep.equal({ code: 0, signal: null });
  });

  it('gives the test blocking output, which programs expect', async () => {
    const { stdout } = await launch(['sh', '-c', 'cat /proc/self/fdinfo/1']);
    const flags = Number.parseInt(/^flags:\s+(\d+)/m.exec(await text(stdout))![1]!, 8);
    expect(flags & 0o4000, 'O_NONBLOCK').to.equal(0);
  });

  it('passes no file descriptors to the test but the output', async () => {
    const { stdout } = await launch(['ls', '-l', '/proc/self/fd']);
    expect((await text(stdout)).match(/ \d+ -> socket:/g)).to.deep.equal([' 1 -> socket:', ' 2 -> socket:']);
  });

  it("returns the system's error for a missing program", async () => {
    expect(await launcher.launch({ command: ['/nothing'], cwd: '/', env })).to.include({ code: 'ENOENT' });
  });

  it('when lost, kills its tests, fails the attempt without a verdict, and starts the next one', async () => {
    const workerId = randomId();
    const runner = createCommandRunner({
      processes: createProcessRunner({ workerId, launcher, reaper: { add() {}, remove() {} } }),
    });
    const running = runner.run(definitionOf([process.execPath, program('tree.mjs'), '--deaf']), attemptOf());
    const failed = running.then(
      () => expect.fail('it has a verdict'),
      (error: unknown) => error,
    );
    await eventually('the tree', () => processesWith(workerId).length >= 3);
    const launcherPid = parentOf(Math.min(...processesWith(workerId)));
    process.kill(launcherPid, 'SIGKILL');
    expect(await failed).to.be.instanceOf(LauncherLostError);
    expect(processesWith(workerId)).to.deep.equal([]);
    expect(await runner.run(definitionOf(['true']), attemptOf())).to.include({ status: 'passed' });
  });

  it('when stopped, kills its tests and exits', async () => {
    const other = await createLauncher();
    const { pid, exited } = (await other.launch({ command: ['sleep', '300'], cwd: '/', env })) as TestProcess;
    exited.catch(() => {});
    const launcherPid = parentOf(pid);
    expect(readFileSync(`/proc/${launcherPid}/environ`, 'latin1')).to.match(/^(NODE_CHANNEL_\w+=\w+\0)*$/);
    await other.stop();
    await eventually('both gone', () => !isAlive(pid) && !isAlive(launcherPid));
  });

  it('is replaced when it does not respond', async () => {
    const impatient = await createLauncher(3000);
    try {
      const first = (await impatient.launch({ command: ['sleep', '60'], cwd: '/', env })) as TestProcess;
      const launcherPid = parentOf(first.pid);
      process.kill(launcherPid, 'SIGSTOP');
      const error = await impatient.launch({ command: ['true'], cwd: '/', env }).catch((thrown: unknown) => thrown);
      expect(error).to.be.instanceOf(LauncherLostError);
      expect(await first.exited.catch((thrown: unknown) => thrown)).to.be.instanceOf(LauncherLostError);
      process.kill(first.pid, 'SIGKILL');
      const next = (await impatient.launch({ command: ['true'], cwd: '/', env })) as TestProcess;
      expect(await next.exited).to.deep.equal({ code: 0, signal: null });
      expect(isAlive(launcherPid)).to.equal(false);
    } finally {
      await impatient.stop();
    }
  });

  it('is not waited for when it does not report an exit', async () => {
    const { pid, exited, ...output } = await launch(['true']);
    await exited;
    const silent = { pid, ...output, exited: new Promise<never>(() => {}) };
    const signal = new AbortController().signal;
    const error = await supervise(silent, { graceMs: 10, signal, checkMs: 20 }).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(LauncherLostError);
  });
});
