import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { freePort } from '#tools/stack/ports.js';
import type { StackInfo } from '#tools/stack/stack-file.js';
import { eventually } from '#test/support/eventually.js';
import { processesWith } from '#test/support/processes/process-marks.js';
import { trigger } from '#test/support/stack.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const MARK = `E2E_START=${Date.now()}`;

describe('npm start', () => {
  let folder: string;
  let port: number;
  let current: { process: ChildProcess; output: () => string } | undefined;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'runhook-start-'));
    port = await freePort();
  });
  after(async () => {
    for (const pid of processesWith(MARK)) process.kill(pid, 'SIGKILL');
    await rm(folder, { recursive: true, force: true });
  });

  let first: StackInfo;
  /** Headers of a script with an API token. */
  const as = ({ apiToken }: { apiToken?: string }) => ({ authorization: `Token ${apiToken}` });
  const stackFile = () => join(folder, 'data', 'stack.json');
  const stackInfo = () => JSON.parse(readFileSync(stackFile(), 'utf8')) as StackInfo;

  function npmStart(...more: string[]) {
    const child = spawn('npm', ['start', '--', '--data-dir', join(folder, 'data'), '--port', String(port), ...more], {
      cwd: ROOT,
      // Servers of the developer are not for this test.
      env: { ...process.env, TEMPORAL_ADDRESS: '', MONGODB_URL: '', [MARK.split('=')[0]!]: MARK.split('=')[1] },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let text = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    return { process: child, output: () => text };
  }

  async function started(...more: string[]): Promise<StackInfo> {
    current = npmStart(...more);
    const { process: child, output } = current;
    return eventually(() => {
      if (child.exitCode !== null) throw new Error(output());
      return output().includes('Press Ctrl-C') && existsSync(stackFile()) ? stackInfo() : undefined;
    }, 60_000);
  }

  async function ended(signal: NodeJS.Signals): Promise<void> {
    const began = performance.now();
    current!.process.kill(signal);
    if (current!.process.exitCode === null && current!.process.signalCode === null)
      await once(current!.process, 'exit');
    await eventually(() => processesWith(MARK).length === 0 || undefined, 15_000);
    expect(performance.now() - began).to.be.lessThan(15_000);
    expect(existsSync(stackFile())).to.equal(false);
  }

  /** The URLs of the curl commands in the banner. */
  const printedUrls = () => [...current!.output().matchAll(/curl -X POST (\S+)/g)].map((match) => match[1]!);

  it('reaches the banner; the printed curls run the demo; it exits within 15 s of a SIGTERM', async () => {
    const project = join(folder, 'mine.yaml');
    await writeFile(project, 'project: Mine\ntests:\n  - { name: Quick, command: ["true"] }\n');
    const info = await started('--project', project);
    expect(info.baseUrl).to.equal(`http://127.0.0.1:${port}`);
    expect(statSync(stackFile()).mode & 0o777).to.equal(0o600);
    expect(Object.keys(info)).to.include.members(['opsUrl', 'temporalAddress', 'temporalCli', 'mongodbUrl', 'pids']);

    first = info;
    expect(statSync(join(folder, 'data', 'credentials.json')).mode & 0o777).to.equal(0o600);
    const urls = printedUrls();
    expect(urls[0]).to.match(/\/tests\/run\//);
    expect(urls[1]).to.match(/\/suites\/run\//);
    const test = await trigger(urls[0]!);
    const suite = await trigger(urls[1]!);
    const { webhookToken, tests } = info.projects.Mine!;
    const mine = await trigger(`${info.baseUrl}/webhooks/${webhookToken}/tests/run/${tests.Quick}`);
    const shows = (id: string, status: string) =>
      eventually(async () => {
        const page = await (await fetch(`${info.baseUrl}/runs/${id}`, { headers: as(info.admin!) })).text();
        return page.includes(`${status}</`) ? page : undefined;
      }, 15_000);
    await Promise.all([shows(test.id, 'passed'), shows(mine.id, 'passed'), shows(suite.id, 'failed')]);

    const second = npmStart();
    const [code] = (await once(second.process, 'exit')) as [number];
    expect(code).to.not.equal(0);
    expect(second.output()).to.contain('already running').and.to.contain(info.baseUrl);

    process.kill(info.pids.worker, 'SIGKILL');
    const again = await eventually(() => {
      if (!existsSync(stackFile())) return undefined;
      const { worker } = stackInfo().pids;
      return worker === info.pids.worker ? undefined : worker;
    }, 20_000);
    expect(again).to.be.a('number');
    await shows((await trigger(urls[0]!)).id, 'passed');

    await ended('SIGTERM');
  }).timeout(120_000);

  it('continues with its data, uses the next free port if one is in use, and leaves nothing when it is killed', async () => {
    const taken = createServer().listen(port, '127.0.0.1');
    await once(taken, 'listening');
    try {
      const before = printedUrls();
      const info = await started();
      expect(info.baseUrl).to.not.equal(`http://127.0.0.1:${port}`);
      const paths = (urls: string[]) => urls.map((url) => new URL(url).pathname);
      expect(paths(printedUrls())).to.deep.equal(paths(before.slice(0, 2)));
      // Created by the first start and kept by the next.
      expect([info.admin, info.demo.apiToken]).to.deep.equal([first.admin, first.demo.apiToken]);
      expect(current!.output()).to.contain(`${info.admin!.email}, password ${info.admin!.password}`);
      const signedIn = await fetch(`${info.baseUrl}/api/v2/auth/sign-in/`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: info.admin!.email, password: info.admin!.password }),
      });
      expect(signedIn.status).to.equal(200);
      const runs = await fetch(`${info.baseUrl}/projects/${info.demo.projectId}/runs`, { headers: as(info.demo) });
      expect(await runs.text()).to.contain('Smoke');
      // The rest ends when its parents have exited.
      current!.process.kill('SIGKILL');
      await eventually(() => processesWith(MARK).length === 0 || undefined, 20_000);
    } finally {
      taken.close();
    }
  }).timeout(120_000);

  it('documents its options, and reports invalid ones', async () => {
    const help = npmStart('--help');
    await once(help.process, 'exit');
    expect(help.output()).to.contain('--project FILE');
    const wrong = npmStart('--porrt', '1');
    const [code] = (await once(wrong.process, 'exit')) as [number];
    expect(code).to.not.equal(0);
    expect(wrong.output()).to.contain('--porrt');
  });
});
