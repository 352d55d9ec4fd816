import { expect } from 'chai';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createCgroup } from '#activities/limits/cgroup.js';
import { findHierarchies, joinCommand } from '#activities/limits/find-hierarchies.js';
import { groupName, membersOf } from '#activities/limits/group-files.js';
import { createLimiter } from '#activities/limits/limiter.js';
import { createProcessWatch } from '#activities/limits/process-watch.js';
import { memoryOf } from '#activities/processes/memory-of.js';
import { createLauncher, type Launcher } from '#activities/processes/launcher.js';
import { randomId } from '#src/domain/ids.js';
import { eventually } from '#test/support/eventually.js';

describe('createLimiter', () => {
  let launcher: Launcher;
  before(async () => (launcher = await createLauncher()));
  after(() => launcher.stop());

  const execution = { id: '1', folder: '/', signal: new AbortController().signal };

  it('does nothing without limits', async () => {
    const limiter = await createLimiter({ workerId: randomId(), launcher });
    expect(await limiter.begin({}, execution)).to.equal(undefined);
  });

  it("applies the worker's limit when the test has none or a higher one, and names its origin", async () => {
    const limiter = await createLimiter({ workerId: randomId(), launcher, workerLimits: { outputMiB: 1 } });
    const limited = (await limiter.begin({ outputMiB: 5 }, execution))!;
    expect(limited.inForce).to.equal('watched: output 1 MiB');
    const log = limited.countOutput({ write: async () => {} });
    await log.write('stdout', Buffer.alloc(1024 * 1024 + 1));
    const verdict = await limited.end(false);
    expect(verdict?.errorMessage).to.match(/more than 1 MiB.*RUNHOOK_TEST_OUTPUT_MIB/);
    expect(await (await limiter.begin({}, execution))!.end(false)).to.equal(undefined);
  });

  it('removes control groups of dead workers at startup with their processes, but none of running workers', async function () {
    const found = await findHierarchies(randomId());
    if (!found) return this.skip();
    const { hierarchies } = found;
    const { pid: dead } = spawnSync('true');
    const [left, living] = [`runhook-${randomId()}-${dead}-1`, groupName(randomId(), '1')];
    const leftGroup = await createCgroup(hierarchies, left, {});
    const livingGroup = await createCgroup(hierarchies, living, {});
    const [shell = '', ...args] = joinCommand(leftGroup.folders);
    const sleeper = spawn(shell, [...args, 'sleep', '60'], { stdio: 'ignore' });
    try {
      await once(sleeper, 'spawn');
      const ended = once(sleeper, 'exit');
      await eventually(() => leftGroup.folders.every((folder) => membersOf(folder).length > 0) || undefined);
      await createLimiter({ workerId: randomId(), launcher });
      expect((await ended)[1]).to.equal('SIGKILL');
      expect(leftGroup.folders.filter((folder) => existsSync(folder))).to.deep.equal([]);
      expect(livingGroup.folders.every((folder) => existsSync(folder))).to.equal(true);
    } finally {
      sleeper.kill('SIGKILL');
      await livingGroup.remove();
      await leftGroup.remove();
    }
  });

  it('does not create a group whose name exists, and leaves none', async function () {
    const found = await findHierarchies(randomId());
    if (!found) return this.skip();
    const name = groupName(randomId(), '1');
    const last = join(found.hierarchies.at(-1)!.folder, name);
    mkdirSync(last);
    const failure = await createCgroup(found.hierarchies, name, {}).catch(String);
    expect(failure).to.match(/EEXIST/);
    const first = join(found.hierarchies[0]!.folder, name);
    if (first !== last) expect(existsSync(first)).to.equal(false);
    await (await createCgroup([], name, {})).remove();
    spawnSync('rmdir', [last]);
  });

  it('attributes processes to executions by their group, and measures memory like the system', async () => {
    const child = spawn('sh', ['-c', 'sleep 60 & sleep 60'], { detached: true, stdio: 'ignore' });
    try {
      const watch = createProcessWatch(randomId());
      const roots = new Map([['a', child.pid!]]);
      const usage = await eventually(() => {
        const seen = watch.scan(roots).get('a');
        return seen?.processes === 3 ? seen : undefined;
      });
      expect(usage.pids).to.include(child.pid!);
      expect(memoryOf(usage.pids)).to.be.within(1, usage.memoryBytes);
    } finally {
      process.kill(-child.pid!, 'SIGKILL');
    }
  });
});
