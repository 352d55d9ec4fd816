import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { LockHeldError, takeLock, withLock } from '#scripts/lib/lock.mjs';

const MODULE = new URL('../../../scripts/lib/lock.mjs', import.meta.url).href;

describe('a lock file', () => {
  let file: string;
  beforeEach(() => (file = join(mkdtempSync(join(tmpdir(), 'runhook-lock-')), 'a/lock')));
  afterEach(() => rmSync(join(file, '../..'), { recursive: true }));

  it('is held until it is released', () => {
    const release = takeLock(file);
    expect(() => takeLock(file))
      .to.throw(LockHeldError)
      .with.property('pid', process.pid);
    release();
    expect(existsSync(file)).to.be.false;
    takeLock(file)();
  });

  it('is held by another live process and taken over from a killed one', async () => {
    const code = `import(${JSON.stringify(MODULE)}).then(({ takeLock }) => {
      takeLock(${JSON.stringify(file)});
      console.log('held');
      setInterval(() => {}, 1000);
    })`;
    const holder = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(holder.stdout, 'data');
    expect(() => takeLock(file))
      .to.throw(LockHeldError)
      .with.property('pid', holder.pid);
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    takeLock(file)();
  });

  it('is taken over when its pid was reused', () => {
    writeFileSync(join(file, '../..', 'x'), '');
    takeLock(file)();
    writeFileSync(file, JSON.stringify({ pid: process.ppid, identity: 'an earlier boot 17' }));
    takeLock(file)();
  });

  it('is held by one process at a time', async () => {
    const counter = join(file, '../../counter');
    writeFileSync(counter, '0');
    const code = `import(${JSON.stringify(MODULE)}).then(async ({ withLock }) => {
      const fs = await import('node:fs');
      for (let i = 0; i < 20; i++) await withLock(${JSON.stringify(file)}, { timeoutMs: 20000 }, async () => {
        const n = Number(fs.readFileSync(${JSON.stringify(counter)}, 'utf8'));
        await new Promise((resolve) => setImmediate(resolve));
        fs.writeFileSync(${JSON.stringify(counter)}, String(n + 1));
      });
    })`;
    const runs = [1, 2, 3].map(() => spawn(process.execPath, ['-e', code], { stdio: 'inherit' }));
    await Promise.all(runs.map((run) => once(run, 'exit')));
    expect(readFileSync(counter, 'utf8')).to.equal('60');
  });

  it('times out, after reporting the holder', async () => {
    const release = takeLock(file);
    const waitedFor: number[] = [];
    const options = { timeoutMs: 150, onWait: (pid: number) => void waitedFor.push(pid) };
    const error = await withLock(file, options, () => Promise.resolve()).catch((caught: unknown) => caught);
    expect(error).to.be.instanceOf(LockHeldError);
    expect(waitedFor).to.deep.equal([process.pid]);
    release();
  });

  it('is released when the work fails', async () => {
    const work = () => Promise.reject(new Error('no'));
    expect(await withLock(file, { timeoutMs: 100 }, work).catch(String)).to.equal('Error: no');
    expect(existsSync(file)).to.be.false;
  });
});

describe('an old Node', () => {
  it('is rejected by the bootstrap', () => {
    const script = new URL('../../../scripts/bootstrap.mjs', import.meta.url).pathname;
    const pretend = `Object.defineProperty(process.versions, 'node', { value: '18.19.0' })`;
    const { status, stderr } = spawnSync(process.execPath, ['--import', `data:text/javascript,${pretend}`, script], {
      encoding: 'utf8',
    });
    expect(stderr).to.include('Runhook needs Node 20.19 or newer');
    expect(status).to.equal(1);
  });
});
