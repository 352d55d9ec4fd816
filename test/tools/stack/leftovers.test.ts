import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { stopLeftovers, STACK_VARIABLE } from '#tools/stack/leftovers.js';
import { startChild, type Child } from '#tools/stack/processes/child.js';

describe('stopLeftovers', function () {
  before(function () {
    if (process.platform !== 'linux') this.skip();
  });

  it('stops the processes of its own folder and no others', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'runhook-leftovers-'));
    const start = (stack: string): Promise<Child> =>
      startChild({
        name: 'left',
        command: 'sleep',
        args: ['60'],
        env: { PATH: process.env.PATH, [STACK_VARIABLE]: stack },
        logFile: join(folder, 'log'),
      });
    const [mine, others] = [await start(folder), await start(`${folder}-other`)];
    const lines: string[] = [];
    await stopLeftovers(folder, (line) => void lines.push(line));
    expect(await mine.exited).to.equal('SIGTERM');
    expect(lines).to.deep.equal(['Stopping 1 process left running by a previous start.']);
    expect(others.process.exitCode ?? others.process.signalCode).to.equal(null);
    await others.stop();
    rmSync(folder, { recursive: true });
  });
});
