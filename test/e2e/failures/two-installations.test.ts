import { expect } from 'chai';
import { isTerminal, statusCounts } from '#src/domain/runs/run-status.js';
import type { ImportedProject } from '#src/services/projects/import-project.js';
import { eventually } from '#test/support/eventually.js';
import { endedRun, runWithStatus, startStack, trigger, webhookUrl, type TestStack } from '#test/support/stack.js';

/** `RUNHOOK_TEST_MINUTES=10`: how long both are under load. */
const LOAD_MS = Number(process.env.RUNHOOK_TEST_MINUTES ?? 0.25) * 60_000;
const BETWEEN_TRIGGERS_MS = 500;

const projectOf = (name: string) => `
project: ${name}
retentionDays: 30
tests:
  - { name: Says whose it is, command: [echo, '${name}'] }
  - { name: Waits, command: [sleep, '7200'], timeout: 2h }
suites:
  - { name: In line, tests: [Says whose it is, Says whose it is], overlap: queue }
schedules:
  - { name: Every minute, test: Says whose it is, cron: '* * * * *' }
`;

interface Installation {
  stack: TestStack;
  project: ImportedProject;
  name: string;
}

describe('two installations in one namespace', () => {
  let one: Installation;
  let two: Installation;
  let both: Installation[];

  before(async () => {
    const first = await startStack();
    const second = await startStack({ temporalOf: first });
    one = { stack: first, name: 'One', project: await first.importText(projectOf('One')) };
    two = { stack: second, name: 'Two', project: await second.importText(projectOf('Two')) };
    both = [one, two];
  });
  after(async () => {
    await two?.stack.stop();
    await one?.stack.stop();
  });

  const start = async ({ stack, project }: Installation, kind: 'tests' | 'suites', name: string) =>
    (await trigger(webhookUrl(stack, project, kind, name))).id;
  const schedulesOf = async ({ stack }: Installation) => {
    const ids: string[] = [];
    for await (const { scheduleId } of stack.temporal.schedule.list()) ids.push(scheduleId);
    return ids.filter((id) => id.startsWith(`${stack.queue}-`)).sort();
  };
  const pass = ({ stack }: Installation, job: 'reconcile' | 'retention') =>
    stack.temporal.schedule.getHandle(`${stack.queue}-${job}`).trigger();

  it('have distinct names in Temporal', async () => {
    expect(one.stack.queue).not.to.equal(two.stack.queue);
    for (const installation of both) {
      const schedules = await eventually(async () => {
        const ids = await schedulesOf(installation);
        return ids.length === 3 ? ids : undefined;
      }, 30_000);
      expect(schedules.map((id) => id.slice(installation.stack.queue.length))).to.satisfy((ends: string[]) =>
        ['-reconcile', '-retention', '-schedule-'].every((end) => ends.some((id) => id.startsWith(end))),
      );
    }
  });

  it('do not affect each other under load', async () => {
    const waiting = await Promise.all(both.map((installation) => start(installation, 'tests', 'Waits')));
    await Promise.all(both.map(({ stack }, index) => runWithStatus(stack, waiting[index]!, 'running', 30_000)));
    const started = new Map<Installation, string[]>(both.map((installation) => [installation, []]));
    const load = async (installation: Installation, until: number) => {
      for (let count = 0; performance.now() < until; count++) {
        const kind = count % 5 === 0 ? 'suites' : 'tests';
        const name = kind === 'suites' ? 'In line' : 'Says whose it is';
        started.get(installation)!.push(await start(installation, kind, name));
        if (count % 10 === 0) await Promise.all([pass(installation, 'reconcile'), pass(installation, 'retention')]);
        await new Promise((resolve) => setTimeout(resolve, BETWEEN_TRIGGERS_MS));
      }
    };
    const until = performance.now() + LOAD_MS;
    await Promise.all(both.map((installation) => load(installation, until)));

    for (const installation of both) {
      const { stack, name } = installation;
      const ids = started.get(installation)!;
      expect(ids.length).to.be.greaterThan(5);
      for (const id of ids) {
        const run = await endedRun(stack, id, 120_000);
        expect(run.status, id).to.equal('passed');
        if (run.targetName === 'In line') expect(run.counts).to.deep.equal(statusCounts({ passed: 2 }));
        const { taskQueue, memo } = await stack.temporal.workflow.getHandle(id).describe();
        expect(taskQueue).to.equal(stack.queue);
        expect(memo).to.deep.equal({ runhookInstallation: stack.queue.slice('runhook-'.length) });
      }
      const { runs, runLogs } = stack.collections;
      // Including runs of the schedule and of suites: each printed once by the installation's own worker.
      const all = await runs.find({ kind: 'test', status: { $nin: ['queued', 'running'] } }).toArray();
      for (const { _id, status, targetName } of all) {
        expect(status, `${targetName} ${_id}`).to.equal('passed');
        expect(await runLogs.distinct('text', { runId: _id, stream: 'stdout' })).to.deep.equal([name]);
      }
      expect(all.every(({ kind, status }) => kind === 'test' && isTerminal(status))).to.equal(true);
    }
    // Neither reconcile has ended, canceled or restarted a run of the other.
    for (const [index, { stack }] of both.entries()) {
      expect((await stack.collections.runs.findOne({ _id: waiting[index]! }))!.status).to.equal('running');
      const reports = await stack.collections.maintenance.findOne({ _id: 'reconcile' });
      expect(reports!.lastSuccessAt).to.be.a('date');
      // Absent while nothing was counted.
      expect(reports!.counts ?? {}).not.to.have.any.keys('stopped', 'workflow_lost', 'workflow_failed', 'restarted');
    }
  }).timeout(LOAD_MS + 240_000);

  it('stop, remove and delete only what is their own', async () => {
    const [own, other] = await Promise.all(both.map((installation) => start(installation, 'tests', 'Waits')));
    await Promise.all([runWithStatus(one.stack, own!, 'running'), runWithStatus(two.stack, other!, 'running')]);
    await one.stack.collections.schedules.updateMany({}, { $set: { archivedAt: new Date() } });
    await eventually(async () => (await schedulesOf(one)).length === 2 || undefined, 30_000);
    expect(await schedulesOf(two)).to.have.length(3);
    await one.stack.temporal.workflow.getHandle(own!).terminate();
    await pass(one, 'reconcile');
    await pass(two, 'reconcile');
    expect((await endedRun(one.stack, own!, 90_000)).status).to.equal('stopped');
    expect((await two.stack.collections.runs.findOne({ _id: other! }))!.status).to.equal('running');
  }).timeout(180_000);
});
