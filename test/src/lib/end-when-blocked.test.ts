import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const PROGRAM = fileURLToPath(new URL('../../fixtures/event-loop/watched.ts', import.meta.url));

type Ending = number | NodeJS.Signals | null;

/** Starts the fixture. Resolves when it is watched. */
async function watched(mode: string, limitMs: number, ...flags: string[]) {
  const child = spawn(process.execPath, [...flags, '--import', 'tsx', PROGRAM, mode, `${limitMs}`]);
  process.once('exit', () => child.kill('SIGKILL'));
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as Ending);
  await once(child.stdout, 'data');
  return { child, ended, errors: () => errors };
}

describe('a process whose event loop is watched', () => {
  it('is killed with a line on stderr when its event loop is blocked', async () => {
    const startedAt = Date.now();
    const { child, ended, errors } = await watched('blocked', 500);
    expect(await ended).to.equal('SIGKILL');
    const line = JSON.parse(errors()) as Record<string, unknown>;
    expect(line).to.include({ level: 60, pid: child.pid, name: 'watched' });
    expect(line.time).to.be.within(startedAt, Date.now());
    expect(line.msg).to.match(/^the event loop was blocked for 0\.5 s; /);
  });

  it('goes on while it is busy with short tasks, and ends normally', async () => {
    const { ended, errors } = await watched('busy', 1000);
    expect([await ended, errors()]).to.deep.equal([0, '']);
  });

  it('goes on after a suspension longer than the limit', async () => {
    const { child, ended, errors } = await watched('idle', 1000);
    await sleep(300);
    child.kill('SIGSTOP');
    await sleep(2500);
    child.kill('SIGCONT');
    expect([await ended, errors()]).to.deep.equal([0, '']);
  });

  it('goes on while it is debugged', async () => {
    const { ended } = await watched('blocked-once', 500, '--inspect=127.0.0.1:0');
    expect(await ended).to.equal(0);
  });

  it('ends at once when it has nothing left to do', async () => {
    const { ended } = await watched('nothing', 60_000);
    expect(await ended).to.equal(0);
  });
});
