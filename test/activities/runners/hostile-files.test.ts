import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createOutputCollector } from '#activities/results/collect-outputs.js';
import { runAttempt } from '#activities/run-attempt.js';
import type { NewArtifact } from '#activities/runners/runner.js';
import type { TestDefinition } from '#src/domain/targets/definitions.js';
import { randomId } from '#src/domain/ids.js';
import { aTestDefinition, aTestRun } from '#test/builders/run.js';
import { openParts } from '#test/fixtures/conformance/parts.js';

/** Of another attempt, in the worker's folder. */
const OF_ANOTHER = 'secret of another attempt';

describe('tests that try to read files of the worker', () => {
  let root: string;
  let parts: Awaited<ReturnType<typeof openParts>>;
  let server: Server;
  let received: string[] = [];

  before(async () => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'runhook-files-')));
    // Every folder of the machine is allowed here: these are refused in any configuration.
    parts = await openParts({ workerId: randomId(), workFolder: join(root, 'work') });
    mkdirSync(join(root, 'work/workers/other/attempt-1'), { recursive: true });
    writeFileSync(join(root, 'work/workers/other/attempt-1/secret.txt'), OF_ANOTHER);
    mkdirSync(join(root, 'checks'));
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => (received.push(body), response.end()));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  beforeEach(() => {
    received = [];
    parts.lines.length = 0;
  });
  after(async () => {
    await parts.close();
    server.close();
    rmSync(root, { recursive: true });
  });

  const sends = (cwd: string, file: string, more: Partial<TestDefinition> = {}): TestDefinition => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const { command: _command, ...rest } = aTestDefinition();
    return { ...rest, runner: 'http', cwd, requests: [{ method: 'POST', url, file }], ...more } as TestDefinition;
  };

  async function run(definition: TestDefinition, signal = new AbortController().signal) {
    const kept: string[] = [];
    const add = async ({ name, content }: NewArtifact) => {
      if (!Buffer.isBuffer(content)) content.destroy();
      kept.push(name);
      return true;
    };
    const deps = {
      ...parts.deps,
      variablesOf: async () => ({ values: {}, secrets: [] }),
      collectOutputs: createOutputCollector({ cases: { insert: async () => {} } }),
      artifactsOf: () => ({ add, notes: () => [] }),
    };
    const verdict = await runAttempt(deps, aTestRun({ definition } as never), { attempt: 1, delivery: 1 }, signal);
    return { verdict, kept };
  }

  const whole = ['environ', 'cmdline', 'root/etc/passwd', 'cwd/package.json'];
  it('cannot use /proc, /sys or /dev as their folder', async () => {
    for (const cwd of ['/proc/self', `/proc/${process.pid}`, '/proc/self/root/proc/self', '/sys/kernel', '/dev'])
      for (const file of whole) {
        const { verdict, kept } = await run(sends(cwd, file, { artifacts: ['**'] }));
        expect(verdict, cwd).to.include({ status: 'error', errorCode: 'FOLDER_NOT_ALLOWED' });
        expect(kept).to.deep.equal([]);
      }
    expect(received).to.deep.equal([]);
  });

  it('cannot use the folder of the worker as their folder', async () => {
    for (const cwd of [join(root, 'work'), join(root, 'work/workers'), join(root, 'work/workers/other/attempt-1')]) {
      const { verdict, kept } = await run(sends(cwd, 'secret.txt', { artifacts: ['**/*'] }));
      expect(verdict, cwd).to.include({ status: 'error', errorCode: 'FOLDER_NOT_ALLOWED' });
      expect(kept).to.deep.equal([]);
    }
    expect(received).to.deep.equal([]);
  });

  it('cannot start a command in a folder that is not allowed', async () => {
    const { verdict } = await run(
      aTestDefinition({ cwd: join(root, 'work'), command: ['touch', join(root, 'checks/started')] }),
    );
    expect(verdict).to.include({ status: 'error', errorCode: 'FOLDER_NOT_ALLOWED' });
    expect(() => execFileSync('ls', [join(root, 'checks/started')], { stdio: 'ignore' })).to.throw();
  });

  it('cannot read them through a parent folder or a link', async () => {
    symlinkSync('/proc/self', join(root, 'checks/self'));
    symlinkSync('../work/workers', join(root, 'checks/workers'));
    for (const [cwd, file] of [
      ['/', 'proc/self/environ'],
      ['/', `${root.slice(1)}/work/workers/other/attempt-1/secret.txt`],
      [root, 'work/workers/other/attempt-1/secret.txt'],
      [root, 'checks/workers/other/attempt-1/secret.txt'],
      [join(root, 'checks'), 'self/environ'],
      [join(root, 'checks'), 'workers/other/attempt-1/secret.txt'],
      [root, 'checks/self/environ'],
    ] as const) {
      const artifacts = [file, `${file.split('/')[0]}/**/secret.txt`, 'checks/*/**', 'self/*'];
      const { verdict, kept } = await run(sends(cwd, file, { artifacts }));
      expect(verdict.status, `${cwd} ${file}`).to.equal('failed');
      expect(verdict.errorMessage).to.match(/belongs to the system or to the worker|outside the working folder/);
      expect(kept, `${cwd} ${file}`).to.deep.equal([]);
    }
    expect(received).to.deep.equal([]);
  });

  it('are not blocked by a pipe without a writer', async () => {
    execFileSync('mkfifo', [join(root, 'checks/pipe')]);
    const { verdict } = await run(sends(join(root, 'checks'), 'pipe'));
    expect(verdict.errorMessage).to.include('the file pipe cannot be read: it is not a regular file');
  });

  it('read at most 5 MiB of a file that grows meanwhile', async () => {
    const growing = join(root, 'checks/growing');
    writeFileSync(growing, 'x'.repeat(1024 ** 2));
    const timer = setInterval(() => appendFileSync(growing, 'x'.repeat(1024 ** 2)), 1);
    try {
      const { verdict } = await run(sends(join(root, 'checks'), 'growing'));
      if (verdict.status === 'failed') expect(verdict.errorMessage).to.include('larger than 5 MiB');
      expect(received.every((body) => body.length <= 5 * 1024 ** 2)).to.equal(true);
    } finally {
      clearInterval(timer);
      rmSync(growing);
    }
  });

  it('can send files of their own folder', async () => {
    writeFileSync(join(root, 'checks/body.txt'), 'hello');
    const { verdict } = await run(sends(join(root, 'checks'), 'body.txt'));
    expect(verdict.status).to.equal('passed');
    expect(received).to.deep.equal(['hello']);
  });
});
