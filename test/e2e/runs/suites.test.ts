import { expect } from 'chai';
import type { ImportedProject } from '#src/services/projects/import-project.js';
import type { SuiteRun, TestRun } from '#src/domain/runs/run.js';
import { eventually } from '#test/support/eventually.js';
import { processesWith } from '#test/support/processes/process-marks.js';
import { endedRun, runWithStatus, startStack, trigger, webhookUrl, type TestStack } from '#test/support/stack.js';

const MARK = `E2E_SUITES=${process.pid}`;
const PROJECT = `
project: Suites
tests:
  - { name: Quick, command: ["true"] }
  - { name: Second, command: [sleep, "1"] }
  - { name: Long, command: [sleep, "300"], env: { E2E_SUITES: "${process.pid}" } }
  - { name: Passes at last, command: [sh, -c, 'echo $RUNHOOK_ATTEMPT; [ $RUNHOOK_ATTEMPT -ge 3 ]'] }
  - { name: Fails, command: ["false"] }
suites:
  - { name: Allow, tests: [Second], overlap: allow }
  - { name: Queue, tests: [Second], overlap: queue }
  - { name: Skip, tests: [Second], overlap: skip }
  - { name: Stop previous, tests: [Second], overlap: stop-previous }
  - { name: Again, tests: [Quick, Passes at last, Fails, Quick], retryFailed: 2 }
  - { name: Slow, tests: [Quick, Long, Long, Long], parallelism: 2, timeout: 3s }
  - { name: Large, tests: [${Array.from({ length: 300 }, (_, n) => (n < 3 ? 'Long' : 'Quick')).join(', ')}], parallelism: 12 }
`;

describe('suites', () => {
  let stack: TestStack;
  let project: ImportedProject;

  before(async () => {
    // Continues as new after about fifty tests instead of five hundred.
    const dynamicConfig = { 'limit.historyCount.suggestContinueAsNew': '400' };
    stack = await startStack({ workerEnv: { RUNHOOK_SLOTS: '12' }, dynamicConfig });
    project = await stack.importText(PROJECT);
  });
  after(() => stack?.stop());

  const start = async (suite: string) => (await trigger(webhookUrl(stack, project, 'suites', suite))).id;
  const testRuns = async (suiteRunId: string) =>
    (await stack.collections.runs.find({ suiteRunId }).sort({ position: 1 }).toArray()) as TestRun[];

  /** Five concurrent POSTs; the runs in the order of their triggers, when all are over. */
  async function five(suite: string): Promise<SuiteRun[]> {
    const ids = await Promise.all([1, 2, 3, 4, 5].map(() => start(suite)));
    expect(new Set(ids).size).to.equal(5);
    await Promise.all(ids.map((id) => endedRun(stack, id, 60_000)));
    const found = stack.collections.runs.find({ _id: { $in: ids } }).sort({ queuedAt: 1, _id: 1 });
    return (await found.toArray()) as SuiteRun[];
  }
  const statuses = (runs: { status: string }[]) => runs.map(({ status }) => status);
  const overlapping = (runs: SuiteRun[]) =>
    runs.some((run, index) => index > 0 && run.startedAt! < runs[index - 1]!.endedAt!);

  describe('with five runs triggered at once', () => {
    it('allow: they run concurrently', async () => {
      const runs = await five('Allow');
      expect(statuses(runs)).to.deep.equal(Array(5).fill('passed'));
      expect(overlapping(runs)).to.equal(true);
    });

    it('queue: one after the other, in the order of their triggers', async () => {
      const runs = await five('Queue');
      expect(statuses(runs)).to.deep.equal(Array(5).fill('passed'));
      expect(overlapping(runs)).to.equal(false);
      for (const run of runs) expect(run).to.not.have.property('reason');
    });

    it('skip: the first runs, the others name the run because of which they were skipped', async () => {
      const [first, ...others] = await five('Skip');
      expect(first!.status).to.equal('passed');
      expect(statuses(others)).to.deep.equal(Array(4).fill('skipped'));
      for (const { reason } of others) expect(reason).to.include('not over').and.include('overlap: skip');
    });

    it('stop-previous: the last one passes, none run concurrently', async () => {
      const runs = await five('Stop previous');
      expect(statuses(runs)).to.deep.equal(['stopped', 'stopped', 'stopped', 'stopped', 'passed']);
      expect(overlapping(runs.filter(({ startedAt }) => startedAt))).to.equal(false);
    });
  });

  it('a queued run shows what it waits for, and can be stopped meanwhile', async () => {
    const first = await start('Queue');
    await runWithStatus(stack, first, 'running');
    const second = await start('Queue');
    const waiting = await eventually(async () => {
      const run = await stack.collections.runs.findOne({ _id: second });
      return run?.reason ? run : undefined;
    });
    expect(waiting.status).to.equal('queued');
    expect(waiting.reason).to.include(first);
    await stack.temporal.workflow.getHandle(second).cancel();
    expect((await endedRun(stack, second)).status).to.equal('stopped');
    expect((await endedRun(stack, first)).status).to.equal('passed');
  });

  it('retryFailed: failed tests run again after the others; the last verdict counts', async () => {
    const id = await start('Again');
    const suite = await endedRun(stack, id, 60_000);
    expect(suite.status).to.equal('failed');
    expect(suite.counts).to.include({ passed: 3, failed: 1, auto_retrying: 0 });
    const runs = await testRuns(id);
    const attempts = runs.map((run) => run.attempts.map(({ verdict }) => verdict!.status));
    expect(attempts).to.deep.equal([
      ['passed'],
      ['failed', 'failed', 'passed'],
      ['failed', 'failed', 'failed'],
      ['passed'],
    ]);
    // The second pass starts when the first is over.
    expect(runs[1]!.attempts[1]!.startedAt.getTime()).to.be.at.least(runs[3]!.endedAt!.getTime());
  });

  it('timeout: running tests are stopped with their processes, the others skipped', async () => {
    const id = await start('Slow');
    const suite = await endedRun(stack, id, 30_000);
    expect(suite).to.include({ status: 'error', errorCode: 'SUITE_TIMEOUT' });
    expect(statuses(await testRuns(id))).to.deep.equal(['passed', 'stopped', 'stopped', 'skipped']);
    expect(processesWith(MARK)).to.deep.equal([]);
  });

  it('a long one continues as new several times, and stops with everything that it has started', async () => {
    const id = await start('Large');
    const handle = stack.temporal.workflow.getHandle(id);
    await runWithStatus(stack, id, 'running');
    const { runId } = await handle.describe();
    await eventually(async () => (await handle.describe()).runId !== runId || undefined, 120_000);
    expect(processesWith(MARK)).to.have.length(3);
    const progress = (await handle.query('progress')) as Record<string, number>;
    expect(progress.running).to.be.within(3, 12);
    await handle.cancel();
    await eventually(() => processesWith(MARK).length === 0 || undefined, 10_000);
    const suite = await endedRun(stack, id, 30_000);
    expect(suite.status).to.equal('stopped');
    const counts = suite.counts!;
    expect(counts.passed + counts.stopped + counts.skipped).to.equal(300);
    expect(counts.stopped).to.be.within(3, 12);
    for (const [position, run] of (await testRuns(id)).entries())
      if (position < 3) expect(run.status).to.equal('stopped');
  }).timeout(180_000);
});
