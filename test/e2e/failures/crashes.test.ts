import { createServer, type AddressInfo, type Socket } from 'node:net';
import { expect } from 'chai';
import type { ImportedProject } from '#src/services/projects/import-project.js';
import { isTerminal } from '#src/domain/runs/run-status.js';
import { eventually } from '#test/support/eventually.js';
import { processesWith } from '#test/support/processes/process-marks.js';
import { endedRun, runWithStatus, startStack, trigger, webhookUrl, type TestStack } from '#test/support/stack.js';

const POSTS = 200;
const CALLERS = 16;
const MARK = `${Date.now()}`;

describe('crashes', () => {
  let stack: TestStack;
  let project: ImportedProject;

  before(async () => {
    stack = await startStack({ workerEnv: { RUNHOOK_SLOTS: '8' } });
    project = await stack.importText(`
project: Crashes
tests:
  - { name: Quick, command: [sh, -c, 'sleep 0.2'], env: { E2E_CRASH: '${MARK}' } }
  - { name: Long, command: [sh, -c, 'sleep 300 & sleep 300'], env: { E2E_CRASH: '${MARK}' }, timeout: 10m }
`);
  });
  after(() => stack?.stop());

  it(`every 200 of ${POSTS} POSTs at ${CALLERS} ends, with the worker killed twice and the server once`, async () => {
    const url = webhookUrl(stack, project, 'tests', 'Quick');
    const accepted: string[] = [];
    const total = () => accepted.length;
    let left = POSTS;
    const callers = Promise.all(
      Array.from({ length: CALLERS }, async () => {
        while (left-- > 0) {
          // A client that lost its response retries: without a key, each POST is another run.
          const answer = await eventually(() => trigger(url), 30_000);
          accepted.push(answer.id);
        }
      }),
    );
    const killWorker = async () => {
      await stack.worker.kill('SIGKILL');
      await stack.worker.start();
    };
    await eventually(() => total() >= 40 || undefined);
    await killWorker();
    await eventually(() => total() >= 90 || undefined);
    await stack.server.kill('SIGKILL');
    await stack.server.start();
    await eventually(() => total() >= 140 || undefined, 30_000);
    await killWorker();
    await callers;

    expect(new Set(accepted).size).to.equal(POSTS);
    await eventually(async () => {
      const runs = await stack.collections.runs.find({ targetId: project.tests.Quick! }).toArray();
      return runs.every((run) => isTerminal(run.status)) || undefined;
    }, 150_000);
    const runs = await stack.collections.runs.find({ _id: { $in: accepted } }).toArray();
    expect(runs).to.have.length(POSTS);
    expect(runs.filter((run) => run.status !== 'passed')).to.deep.equal([]);
    // The record shows where a worker was lost; that is not an attempt of the test.
    expect(runs.every((run) => run.kind === 'test' && run.attempts.length === 1)).to.equal(true);

    const workflows = await eventually(async () => {
      const ids: string[] = [];
      for await (const found of stack.temporal.workflow.list({ query: `RunhookTarget="${project.tests.Quick}"` }))
        ids.push(found.workflowId);
      return accepted.every((id) => ids.includes(id)) ? ids : undefined;
    }, 20_000);
    expect(new Set(workflows).size, 'one workflow a run').to.equal(workflows.length);
    expect(processesWith(`E2E_CRASH=${MARK}`)).to.deep.equal([]);
  }).timeout(240_000);

  it('a test does not outlive its worker, and runs again on another as the same attempt', async () => {
    const { id } = await trigger(webhookUrl(stack, project, 'tests', 'Long'));
    await runWithStatus(stack, id, 'running');
    await eventually(() => processesWith(`E2E_CRASH=${MARK}`).length > 0 || undefined);
    await stack.worker.kill('SIGKILL');
    await eventually(() => processesWith(`E2E_CRASH=${MARK}`).length === 0 || undefined, 8000);
    await stack.worker.start();
    const again = await eventually(async () => {
      const run = await runWithStatus(stack, id, 'running');
      return run.attempts[0]!.delivery > 1 ? run : undefined;
    }, 60_000);
    expect(again.attempts).to.have.length(1);
    expect(again.attempt).to.equal(1);
    await stack.temporal.workflow.getHandle(id).cancel();
    await endedRun(stack, id);
    const log = await stack.collections.runLogs.find({ runId: id, stream: 'system' }).toArray();
    expect(log.map((line) => line.text).join()).to.contain('Restarted by');
  }).timeout(120_000);

  it('a worker whose event loop is blocked ends with its tests, which run again on another', async () => {
    const block = encodeURIComponent("process.on('SIGUSR2', () => { for (;;); })");
    await stack.worker.kill('SIGTERM');
    await stack.worker.start({ NODE_OPTIONS: `--import=data:text/javascript,${block}` });
    const { id } = await trigger(webhookUrl(stack, project, 'tests', 'Long'));
    await runWithStatus(stack, id, 'running');
    await eventually(() => processesWith(`E2E_CRASH=${MARK}`).length > 0 || undefined);
    expect(await stack.worker.kill('SIGUSR2')).to.equal('SIGKILL');
    expect(stack.output()).to.contain('the event loop was blocked for 10 s');
    await eventually(() => processesWith(`E2E_CRASH=${MARK}`).length === 0 || undefined, 8000);
    await stack.worker.start();
    await eventually(async () => {
      const run = await runWithStatus(stack, id, 'running');
      return run.attempts[0]!.delivery > 1 || undefined;
    }, 60_000);
    await stack.temporal.workflow.getHandle(id).cancel();
    expect((await endedRun(stack, id)).status).to.equal('stopped');
  }).timeout(150_000);

  it('a worker that shuts down hands its test over, without a verdict', async () => {
    const { id } = await trigger(webhookUrl(stack, project, 'tests', 'Long'));
    await runWithStatus(stack, id, 'running');
    expect(await stack.worker.kill('SIGTERM')).to.equal(0);
    expect(processesWith(`E2E_CRASH=${MARK}`)).to.deep.equal([]);
    await stack.worker.start();
    await eventually(async () => {
      const run = await runWithStatus(stack, id, 'running');
      return run.attempts[0]!.delivery > 1 || undefined;
    }, 30_000);
    await stack.temporal.workflow.getHandle(id).cancel();
    expect((await endedRun(stack, id)).status).to.equal('stopped');
  }).timeout(90_000);

  it('a server killed between the insert and the start loses nothing', async () => {
    // The fault point: a Temporal address that accepts connections and never responds.
    const held: Socket[] = [];
    const blackHole = createServer((socket) => void held.push(socket.on('error', () => {})));
    await new Promise<void>((resolve) => blackHole.listen(0, '127.0.0.1', resolve));
    try {
      await stack.server.kill('SIGTERM');
      const { port } = blackHole.address() as AddressInfo;
      await stack.server.start({ TEMPORAL_ADDRESS: `127.0.0.1:${port}` });
      const ids = await Promise.all(
        Array.from({ length: 5 }, async () => (await trigger(webhookUrl(stack, project, 'tests', 'Quick'))).id),
      );
      await eventually(() => held.length > 0 || undefined);
      await stack.server.kill('SIGKILL');
      const waiting = await stack.collections.runs.find({ _id: { $in: ids } }).toArray();
      expect(waiting.map((run) => run.status)).to.deep.equal(Array(5).fill('queued'));
      expect(waiting.every((run) => run.dispatch)).to.equal(true);
      await stack.server.start();
      for (const id of ids) expect((await endedRun(stack, id, 30_000)).status).to.equal('passed');
    } finally {
      held.forEach((socket) => socket.destroy());
      blackHole.close();
    }
  }).timeout(90_000);

  it('a server that shuts down finishes its responses and hands its pending starts over', async () => {
    const url = webhookUrl(stack, project, 'tests', 'Quick');
    const posts = Promise.allSettled(Array.from({ length: 40 }, () => trigger(url)));
    await eventually(async () => (await stack.collections.runs.countDocuments({ status: 'queued' })) > 0 || undefined);
    expect(await stack.server.kill('SIGTERM')).to.equal(0);
    const ids = (await posts).flatMap((post) => (post.status === 'fulfilled' ? [post.value.id] : []));
    expect(ids.length).to.be.greaterThan(0);
    await stack.server.start();
    for (const id of ids) expect((await endedRun(stack, id, 60_000)).status).to.equal('passed');
  }).timeout(120_000);
});
