import { expect } from 'chai';
import type { ImportedProject } from '#src/services/projects/import-project.js';
import { eventually } from '#test/support/eventually.js';
import { nodeProcess, type NodeProcess } from '#test/support/processes/node-process.js';
import { endedRun, page, startStack, trigger, webhookUrl, type TestStack } from '#test/support/stack.js';

const LIMIT_MS = 12_000;

describe('a pool without a runner', () => {
  let stack: TestStack;
  let project: ImportedProject;
  let late: NodeProcess;

  before(async () => {
    stack = await startStack({
      serverEnv: { RUNHOOK_NO_RUNNER_MINUTES: String(LIMIT_MS / 60_000) },
      workerEnv: { RUNHOOK_SLOTS: '1' },
    });
    late = nodeProcess('worker.js', '"worker ready"', {
      ...stack.workerEnv,
      RUNHOOK_POOLS: 'late',
      RUNHOOK_WORKFLOWS: 'false',
    });
    project = await stack.importText(`
project: Pools
tests:
  - { name: Unserved, command: ['true'], pool: unserved }
  - { name: Late, command: ['true'], pool: late }
  - { name: Long, command: [sleep, '${LIMIT_MS / 1000 + 3}'] }
  - { name: Behind, command: ['true'] }
suites:
  - { name: Suite of unserved, tests: [Unserved] }
`);
  });
  after(async () => {
    await late?.kill('SIGTERM');
    await stack?.stop();
  });

  const start = async (name: string) => (await trigger(webhookUrl(stack, project, 'tests', name))).id;
  const find = (id: string) => stack.collections.runs.findOne({ _id: id });
  const reasonOf = (id: string) => eventually(async () => (await find(id))?.reason, LIMIT_MS);
  const shown = (id: string) => page(stack, `${stack.baseUrl}/runs/${id}`);

  it('makes its runs show why they wait, and ends them after the limit', async () => {
    const id = await start('Unserved');
    const { id: suiteId } = await trigger(webhookUrl(stack, project, 'suites', 'Suite of unserved'));
    const reason = await reasonOf(id);
    const { status, queuedAt } = (await find(id))!;
    expect(status).to.equal('queued');
    expect(reason).to.equal(`no runner in pool unserved since ${queuedAt.toISOString()}`);
    expect(await shown(id))
      .to.include(reason)
      .and.to.include('RUNHOOK_POOLS=unserved');
    expect(await (await fetch(`${stack.opsUrl}/metrics`)).text())
      .to.include('runhook_runners{pool="unserved"} 0')
      .and.to.include('runhook_runners{pool="default"} 1');

    const end = await endedRun(stack, id, 2 * LIMIT_MS);
    expect(end).to.include({ status: 'error', errorCode: 'NO_RUNNER' }).and.to.not.have.property('reason');
    expect(end.endedAt!.getTime() - queuedAt.getTime()).to.be.at.least(LIMIT_MS);
    expect(await shown(id)).to.include('NO_RUNNER');
    expect((await endedRun(stack, suiteId, 2 * LIMIT_MS)).counts).to.include({ error: 1, queued: 0 });
  });

  it('runs them when a runner appears in time, and removes the reason', async () => {
    const id = await start('Late');
    await reasonOf(id);
    await late.start();
    const end = await endedRun(stack, id);
    expect(end.status).to.equal('passed');
    expect(end).to.not.have.property('reason');
  });

  it('is not a pool whose runner is busy for longer than the limit', async () => {
    const long = await start('Long');
    await eventually(async () => (await find(long))?.status === 'running' || undefined);
    const behind = await start('Behind');
    const end = await endedRun(stack, behind, 3 * LIMIT_MS);
    expect(end.status).to.equal('passed');
    expect(end.startedAt!.getTime() - end.queuedAt.getTime(), 'it waited').to.be.greaterThan(LIMIT_MS);
    expect((await endedRun(stack, long)).status).to.equal('passed');
  });
});
