import { once } from 'node:events';
import http from 'node:http';
import { json } from 'node:stream/consumers';
import { expect } from 'chai';
import type { ImportedProject } from '#src/services/projects/import-project.js';
import { eventually } from '#test/support/eventually.js';
import { nodeProcess, type NodeProcess } from '#test/support/processes/node-process.js';
import { endedRun, runWithStatus, startStack, trigger, webhookUrl, type TestStack } from '#test/support/stack.js';

const DRAIN_MS = 2000;

describe('deploys', () => {
  let stack: TestStack;
  let project: ImportedProject;
  let next: NodeProcess;

  before(async () => {
    stack = await startStack({
      serverEnv: { RUNHOOK_DRAIN_SECONDS: String(DRAIN_MS / 1000) },
      workerEnv: { RUNHOOK_SHUTDOWN_GRACE_SECONDS: '20' },
    });
    next = nodeProcess('worker.js', '"worker ready"', stack.workerEnv);
    project = await stack.importText(`
project: Deploys
tests:
  - { name: Four seconds, command: [sleep, '4'] }
  - { name: Ten seconds, command: [sleep, '10'] }
  - { name: Quick, command: ['true'] }
`);
  });
  after(async () => {
    await next?.kill('SIGTERM');
    await stack?.stop();
  });

  const url = (name: string) => webhookUrl(stack, project, 'tests', name);
  const ended = async (id: string) => {
    const { status, attempts } = await endedRun(stack, id, 40_000);
    return { status, deliveries: attempts.map(({ delivery }) => delivery) };
  };

  it('a test finishes on a worker that shuts down with enough time', async () => {
    const { id } = await trigger(url('Four seconds'));
    const { attempts } = await runWithStatus(stack, id, 'running');
    expect(await stack.worker.kill('SIGTERM')).to.equal(0);
    const run = await stack.collections.runs.findOne({ _id: id });
    expect(run, 'recorded before the worker ends').to.include({ status: 'passed' });
    const [presence] = await stack.collections.workers.find().sort({ startedAt: -1 }).limit(1).toArray();
    // It signed off when it stopped accepting work, not when it was done.
    expect(run!.endedAt!.getTime() - presence!.stoppedAt!.getTime()).to.be.greaterThan(1000);
    await stack.worker.start();
    expect(await ended(id)).to.deep.equal({ status: 'passed', deliveries: [attempts[0]!.delivery] });
    expect(attempts[0]!.delivery).to.equal(1);
  });

  it('a test is handed over as the same attempt by a worker without enough time', async () => {
    await stack.worker.kill('SIGTERM');
    await stack.worker.start({ RUNHOOK_SHUTDOWN_GRACE_SECONDS: '0.5' });
    const { id } = await trigger(url('Ten seconds'));
    const { attempts } = await runWithStatus(stack, id, 'running');
    await next.start();
    expect(await stack.worker.kill('SIGTERM')).to.equal(0);
    expect(await ended(id)).to.deep.equal({ status: 'passed', deliveries: [2] });
    const run = await endedRun(stack, id);
    expect(run.attempts[0]!.worker).to.not.equal(attempts[0]!.worker);
  });

  it('a server becomes unready first, still accepts triggers, and finishes requests in progress', async () => {
    const slow = http.request(url('Quick'), { method: 'POST', headers: { 'content-length': '4' }, agent: false });
    const slowAnswer = once(slow, 'response') as Promise<[http.IncomingMessage]>;
    slow.write('ab');
    await eventually(async () => (await fetch(`${stack.opsUrl}/readyz`)).ok || undefined);

    const began = Date.now();
    const exited = stack.server.kill('SIGTERM');
    await eventually(async () => (await fetch(`${stack.opsUrl}/readyz`)).status === 503 || undefined, DRAIN_MS);
    const meanwhile = await fetch(url('Quick'), { method: 'POST' });
    expect(meanwhile.status).to.equal(200);
    expect(meanwhile.headers.get('connection')).to.equal('close');
    expect(Date.now() - began, 'while it still serves').to.be.below(DRAIN_MS);
    const ids = [((await meanwhile.json()) as { id: string }).id];

    await eventually(
      () =>
        fetch(stack.baseUrl).then(
          () => undefined,
          () => true as const,
        ),
      DRAIN_MS + 4000,
    );
    expect(Date.now() - began).to.be.at.least(DRAIN_MS);
    slow.end('cd');
    const [answer] = await slowAnswer;
    expect(answer.statusCode).to.equal(200);
    ids.push(((await json(answer)) as { id: string }).id);
    expect(await exited).to.equal(0);

    await stack.server.start();
    for (const id of ids) expect((await ended(id)).status).to.equal('passed');
  });
});
