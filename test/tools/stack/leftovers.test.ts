import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { endLeftovers, STACK_VARIABLE } from '#tools/stack/leftovers.js';
import { startChild, type Child } from '#tools/stack/processes/child.js';

describe('endLeftovers', function () {
  before(function () {
    if (process.platform !== 'linux') this.skip();
  });

  it('ends the processes of its own folder and no others', async () => {
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
    const said: string[] = [];
    await endLeftovers(folder, (line) => void said.push(line));
    expect(await mine.exited).to.equal('SIGTERM');
    expect(said).to.deep.equal(['Stopping 1 process left running by a previous start.']);
    expect(others.process.exitCode ?? others.process.signalCode).to.equal(null);
    await others.stop();
    rmSync(folder, { recursive: true });
  });
});
