import { cp, rename, rm, writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { ImportedProject } from '#src/services/projects/import-project.js';
import type { SuiteRun, TestRun } from '#src/domain/runs/run.js';
import { isTerminal, statusCounts } from '#src/domain/runs/run-status.js';
import { eventually } from '#test/support/eventually.js';
import { processesWith } from '#test/support/processes/process-marks.js';
import { endedRun, runWithStatus, startStack, trigger, webhookUrl, type TestStack } from '#test/support/stack.js';

const MARK = `E2E_LOST=${Date.now()}`;
/** The test waits in a loop for a file, so that a case controls when it ends. */
const WAITS = (file: string) => `[sh, -c, 'echo begun; while [ ! -e ${file} ]; do sleep 0.1; done; echo done']`;

describe('lost components', () => {
  let stack: TestStack;
  let project: ImportedProject;

  before(async () => {
    stack = await startStack({
      serverEnv: { RUNHOOK_REBIND_TEMPORAL: 'true' },
      workerEnv: { RUNHOOK_SLOTS: '8', RUNHOOK_REBIND_TEMPORAL: 'true', RUNHOOK_WORKFLOW_LOST_MINUTES: '0.05' },
    });
    project = await stack.importText(`
project: Lost parties
tests:
  - { name: Quick, command: ['true'] }
  - { name: Long, command: [sh, -c, 'sleep 300 & sleep 300'], env: { E2E_LOST: '${MARK.split('=')[1]}' }, timeout: 10m }
  - { name: Nowhere, command: ['true'], pool: unserved }
  - { name: Waits, command: ${WAITS(`${stack.folder}/go`)} }
suites:
  - { name: Longs, tests: [Long, Long, Long, Long, Long], parallelism: 3 }
`);
  });
  after(() => stack?.stop());

  const accept = async (kind: 'tests' | 'suites', name: string) =>
    (await trigger(webhookUrl(stack, project, kind, name))).id;
  const pass = (job: 'reconcile' | 'retention') => stack.temporal.schedule.getHandle(`${stack.queue}-${job}`).trigger();
  const record = async (id: string) => (await stack.collections.runs.findOne({ _id: id }))!;
  const testsRunning = (suiteRunId: string, count: number) =>
    eventually(async () => {
      const running = await stack.collections.runs.countDocuments({ suiteRunId, status: 'running' });
      return running === count || undefined;
    }, 20_000);
  /** Runs reconcile in between, where its interval does not matter. */
  const endedByReconcile = (ids: string[], withinMs = 60_000) =>
    eventually(async () => {
      await pass('reconcile');
      const runs = await Promise.all(ids.map(record));
      return runs.every((run) => isTerminal(run.status)) ? runs : undefined;
    }, withinMs);

  it('a suite terminated in Temporal ends within two minutes, and leaves no process', async () => {
    const id = await accept('suites', 'Longs');
    await testsRunning(id, 3);
    await eventually(() => processesWith(MARK).length >= 6 || undefined);
    const began = Date.now();
    await stack.temporal.workflow.getHandle(id).terminate();
    const suite = await endedRun(stack, id, 120_000);
    await eventually(() => processesWith(MARK).length === 0 || undefined, 120_000 - (Date.now() - began));
    expect(suite.status).to.equal('stopped');
    expect(suite.counts).to.deep.equal(statusCounts({ stopped: 3, skipped: 2 }));
    const tests = await stack.collections.runs.find({ suiteRunId: id }).sort({ position: 1 }).toArray();
    expect(tests.map(({ status }) => status)).to.deep.equal(['stopped', 'stopped', 'stopped', 'skipped', 'skipped']);
  }).timeout(150_000);

  it('a Temporal that lost all its data: pending runs start, started runs become errors, new runs work', async () => {
    const begun = await accept('tests', 'Long');
    const suite = await accept('suites', 'Longs');
    const queued = await accept('tests', 'Nowhere');
    await runWithStatus(stack, begun, 'running');
    await testsRunning(suite, 3);
    await eventually(async () => !(await record(queued)).dispatch || undefined);
    process.kill(stack.pids().temporal, 'SIGSTOP');
    const pending = await accept('tests', 'Quick');
    await stack.loseTemporal();

    // Setup is not run.
    const fresh = await accept('tests', 'Quick');
    for (const id of [fresh, pending]) expect((await endedRun(stack, id, 60_000)).status).to.equal('passed');
    const [lostTest, lostSuite] = await endedByReconcile([begun, suite], 90_000);
    for (const lost of [lostTest!, lostSuite!])
      expect([lost.status, lost.errorCode]).to.deep.equal(['error', 'WORKFLOW_LOST']);
    const { counts } = lostSuite as SuiteRun;
    expect(counts).to.deep.equal(statusCounts({ error: 3, skipped: 2 }));
    await eventually(() => processesWith(MARK).length === 0 || undefined, 60_000);

    // It waits for a runner, as before.
    const again = stack.temporal.workflow.getHandle(queued);
    await eventually(async () => {
      await pass('reconcile');
      return (await again.describe()).status.name === 'RUNNING' || undefined;
    }, 60_000);
    expect((await record(queued)).status).to.equal('queued');
    await again.cancel();
    await endedRun(stack, queued);

    const metrics = await (await fetch(`${stack.opsUrl}/metrics`)).text();
    expect(metrics).to.match(/^runhook_reconciled_total\{kind="workflow_lost"\} [1-9]/m);
    expect(metrics).to.match(/^runhook_reconciled_total\{kind="restarted"\} [1-9]/m);
    expect(metrics).to.match(/^runhook_reconcile_last_success_timestamp_seconds 1\.?\d+/m);
  }).timeout(200_000);

  it('a database outage in mid-run delays its end and repeats nothing', async () => {
    const id = await accept('tests', 'Waits');
    await eventually(
      async () => (await stack.collections.runLogs.countDocuments({ runId: id, text: 'begun' })) === 1 || undefined,
    );
    await stack.restartMongodb(async () => {
      await writeFile(`${stack.folder}/go`, '');
      // It ends, and its worker cannot record that.
      await eventually(() => processesWith(`RUNHOOK_RUN_ID=${id}`).length === 0 || undefined);
    });
    const run = await endedRun(stack, id, 60_000);
    expect(run.status).to.equal('passed');
    expect(run.attempts).to.have.length(1);
    const lines = await stack.collections.runLogs.find({ runId: id, stream: 'stdout' }).sort({ seq: 1 }).toArray();
    expect(lines.map(({ text }) => text)).to.deep.equal(['begun', 'done']);
    await rm(`${stack.folder}/go`);
  }).timeout(90_000);

  it('a database restored from a backup: runs that had ended end again with the verdict of Temporal', async () => {
    const [queuedAtCopy, runningAtCopy, suiteAtCopy] = [
      await accept('tests', 'Nowhere'),
      await accept('tests', 'Waits'),
      await accept('suites', 'Longs'),
    ];
    await runWithStatus(stack, runningAtCopy, 'running');
    await eventually(
      async () =>
        (await stack.collections.runs.countDocuments({ suiteRunId: suiteAtCopy, status: 'running' })) === 3 ||
        undefined,
    );
    const copy = `${stack.mongodbFolder}-copy`;
    await stack.restartMongodb(() => cp(stack.mongodbFolder, copy, { recursive: true }));

    await Promise.all([queuedAtCopy, suiteAtCopy].map((id) => stack.temporal.workflow.getHandle(id).cancel()));
    await writeFile(`${stack.folder}/go`, '');
    const before = await Promise.all(
      [queuedAtCopy, runningAtCopy, suiteAtCopy].map((id) => endedRun(stack, id, 40_000)),
    );
    expect(before.map(({ status }) => status)).to.deep.equal(['stopped', 'passed', 'stopped']);

    await stack.restartMongodb(async () => {
      await rm(stack.mongodbFolder, { recursive: true });
      await rename(copy, stack.mongodbFolder);
    });
    const after = await endedByReconcile([queuedAtCopy, runningAtCopy, suiteAtCopy]);
    expect(after.map(({ status }) => status)).to.deep.equal(['stopped', 'passed', 'stopped']);
    expect((after[1] as TestRun).attempts).to.have.length(1);
    expect((after[2] as SuiteRun).counts).to.deep.equal(before[2]!.counts);
    expect(await stack.collections.runs.countDocuments({ suiteRunId: suiteAtCopy })).to.equal(5);
  }).timeout(150_000);

  it('retention deletes expired runs by their project’s retention, and no open runs', async () => {
    const shorter = await stack.importText(
      'project: Shorter\nretentionDays: 1\ntests:\n  - { name: Quick, command: [echo, hello] }\nsuites:\n  - { name: Twice, tests: [Quick, Quick] }\n',
    );
    const inShorter = async (kind: 'tests' | 'suites', name: string) =>
      (await trigger(webhookUrl(stack, shorter, kind, name))).id;
    const kept = async (id: string) => {
      const { expiresAt, queuedAt } = await record(id);
      return (expiresAt.getTime() - queuedAt.getTime()) / 86_400_000;
    };
    // The server reads it every few seconds.
    const test = await eventually(async () => {
      const id = await inShorter('tests', 'Quick');
      return (await kept(id)) === 1 ? id : undefined;
    }, 15_000);
    const [suite, open, other] = [
      await inShorter('suites', 'Twice'),
      await accept('tests', 'Nowhere'),
      await accept('tests', 'Quick'),
    ];
    expect(await kept(other)).to.equal(90);
    for (const id of [test, suite, other]) await endedRun(stack, id);

    // Two days later. Earlier runs of the project are updated now.
    const { runs, runLogs, projects } = stack.collections;
    await projects.updateOne({ _id: shorter.projectId }, { $set: { retentionChangedAt: new Date(0) } });
    const aged = {
      $set: Object.fromEntries(['queuedAt', 'expiresAt'].map((at) => [at, { $subtract: [`$${at}`, 2 * 86_400_000] }])),
    };
    await runs.updateMany({ $or: [{ projectId: shorter.projectId }, { _id: { $in: [open, other] } }] }, [aged]);
    await runs.updateOne({ _id: open }, { $set: { expiresAt: new Date(0) } });
    await eventually(async () => {
      await pass('retention');
      return (await runs.countDocuments({ projectId: shorter.projectId })) === 0 || undefined;
    }, 30_000);
    expect(await runs.countDocuments({ _id: { $in: [open, other] } })).to.equal(2);
    expect(await runLogs.countDocuments({ runId: test })).to.equal(0);
    await stack.temporal.workflow.getHandle(open).cancel();
    // A pass reports after its deletions.
    await eventually(async () => {
      const metrics = await (await fetch(`${stack.opsUrl}/metrics`)).text();
      // One for each try above, a suite with two tests.
      return Number(/^runhook_retention_removed_total (\d+)/m.exec(metrics)?.[1] ?? 0) >= 4 || undefined;
    });
  }).timeout(120_000);
});
