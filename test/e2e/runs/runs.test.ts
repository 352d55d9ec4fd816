import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { OPEN_STATUSES } from '#src/domain/runs/run-status.js';
import type { ImportedProject } from '#src/services/projects/import-project.js';
import { eventually } from '#test/support/eventually.js';
import { addPerson } from '#test/support/people.js';
import { processesWith } from '#test/support/processes/process-marks.js';
import { endedRun, page, runWithStatus, startStack, trigger, webhookUrl, type TestStack } from '#test/support/stack.js';

const DEMO = fileURLToPath(new URL('../../../examples/demo-shop/runhook.yaml', import.meta.url));

describe('runs', () => {
  let stack: TestStack;

  before(async () => {
    stack = await startStack();
  });
  after(() => stack?.stop());

  describe('of the demo project', () => {
    let demo: ImportedProject;

    before(async () => {
      demo = await stack.importFile(DEMO);
    });

    it('a test is passed in MongoDB, on its page, and in Temporal under the same id', async () => {
      const name = Object.keys(demo.tests)[0]!;
      const answer = await trigger(webhookUrl(stack, demo, 'tests', name));
      const run = await endedRun(stack, answer.id, 10_000);
      expect(run.status).to.equal('passed');
      expect(run.modified.getTime()).to.be.greaterThan(new Date(answer.modified).getTime());
      expect(run).to.not.have.property('dispatch');

      expect(await page(stack, answer.webapp_url))
        .to.contain(name)
        .and.to.contain('passed')
        .and.to.contain(`${stack.temporalUiUrl}/namespaces/default`);

      const workflow = await eventually(async () => {
        const query = `RunhookProject="${demo.projectId}" AND RunhookStatus="passed"`;
        for await (const found of stack.temporal.workflow.list({ query }))
          if (found.workflowId === run._id) return found;
        return undefined;
      });
      expect(workflow.type).to.equal('testRun');
      expect(await stack.temporal.workflow.getHandle(run._id).result()).to.deep.equal({ status: 'passed' });
    });

    it('a suite of five has the expected verdicts, one after a retry', async () => {
      const { id } = await trigger(webhookUrl(stack, demo, 'suites', 'Smoke'));
      const suite = await endedRun(stack, id, 30_000);
      expect(suite.status).to.equal('failed');
      expect(suite.counts).to.include({ passed: 4, failed: 1, queued: 0, running: 0 });
      const tests = await stack.collections.runs.find({ suiteRunId: id }).sort({ position: 1 }).toArray();
      expect(tests).to.have.length(5);
      const retried = tests.filter((run) => run.kind === 'test' && run.attempts.length === 2);
      expect(retried).to.have.length(1);
      expect(retried[0]!.status).to.equal('passed');
      const [first, second] = (retried[0] as { attempts: { verdict: { status: string } }[] }).attempts;
      expect([first!.verdict.status, second!.verdict.status]).to.deep.equal(['failed', 'passed']);
      const attemptsWithLogs = await stack.collections.runLogs.distinct('attempt', { runId: retried[0]!._id });
      expect(attemptsWithLogs.sort()).to.deep.equal([1, 2]);

      const shown = await page(stack, `${stack.baseUrl}/runs/${id}`);
      for (const test of tests) expect(shown).to.contain(`/runs/${test._id}`);
    });
  });

  it('shows all tests of a suite as queued at once, and runs no more than its parallelism', async () => {
    const names = Array.from({ length: 6 }, (_, index) => `T${index}`);
    const project = await stack.importText(`
project: Parallel
tests:
${names.map((name) => `  - { name: ${name}, command: [sleep, '1'] }`).join('\n')}
suites:
  - { name: All, tests: [${names.join(', ')}], parallelism: 2 }
`);
    const { id } = await trigger(webhookUrl(stack, project, 'suites', 'All'));
    let most = 0;
    let seenAll = false;
    await eventually(async () => {
      const runs = await stack.collections.runs.find({ suiteRunId: id }).toArray();
      seenAll ||= runs.length === 6 && runs.some((run) => run.status === 'queued');
      if (runs.length > 0) expect(runs.length).to.equal(6);
      most = Math.max(most, runs.filter((run) => run.status === 'running').length);
      const suite = await stack.collections.runs.findOne({ _id: id });
      return suite?.status === 'passed' || undefined;
    }, 30_000);
    expect(seenAll).to.equal(true);
    expect(most).to.equal(2);
  });

  it('onFailure: stop starts no further test and skips the rest', async () => {
    const project = await stack.importText(`
project: Stops
tests:
  - { name: Red, command: ['false'] }
  - { name: Green, command: ['true'] }
suites:
  - { name: All, tests: [Green, Red, Green, Green], parallelism: 1, onFailure: stop }
`);
    const { id } = await trigger(webhookUrl(stack, project, 'suites', 'All'));
    const suite = await endedRun(stack, id);
    const tests = await stack.collections.runs.find({ suiteRunId: id }).sort({ position: 1 }).toArray();
    expect(tests.map((run) => run.status)).to.deep.equal(['passed', 'failed', 'skipped', 'skipped']);
    expect(suite.status).to.equal('failed');
    expect(suite.counts).to.include({ passed: 1, failed: 1, skipped: 2 });
  });

  it('uses the definition at the moment of the trigger, also for a suite', async () => {
    const yaml = (code: number) => `
project: Snapshot
tests:
  - { name: T, command: [sh, -c, 'sleep 1; exit ${code}'] }
suites:
  - { name: S, tests: [T] }
`;
    const project = await stack.importText(yaml(0));
    process.kill(stack.pids().temporal, 'SIGSTOP');
    const [test, suite] = await Promise.all([
      trigger(webhookUrl(stack, project, 'tests', 'T')),
      trigger(webhookUrl(stack, project, 'suites', 'S')),
    ]);
    await stack.importText(yaml(1));
    process.kill(stack.pids().temporal, 'SIGCONT');
    const ended = await Promise.all([endedRun(stack, test.id, 40_000), endedRun(stack, suite.id, 40_000)]);
    expect(ended.map((run) => run.status)).to.deep.equal(['passed', 'passed']);
    const later = await trigger(webhookUrl(stack, project, 'suites', 'S'));
    expect((await endedRun(stack, later.id)).status).to.equal('failed');
  });

  describe('that do not pass', () => {
    let project: ImportedProject;

    before(async () => {
      project = await stack.importText(`
project: Bad ends
tests:
  - { name: Red, command: [sh, -c, 'exit 7'] }
  - { name: Missing, command: [no-such-program-anywhere] }
  - { name: Slow, command: [sleep, '60'], timeout: 1s }
  - { name: Killed, command: [sh, -c, 'kill -9 $$'] }
`);
    });

    const cases: [string, string, string | undefined, number | undefined][] = [
      ['Red', 'failed', undefined, 7],
      ['Missing', 'error', 'COMMAND_NOT_FOUND', undefined],
      ['Slow', 'error', 'TEST_TIMEOUT', undefined],
      ['Killed', 'error', 'KILLED', undefined],
    ];
    for (const [name, status, errorCode, exitCode] of cases) {
      it(`${name} is ${status} ${errorCode ?? exitCode}`, async () => {
        const { id } = await trigger(webhookUrl(stack, project, 'tests', name));
        const run = await endedRun(stack, id);
        expect(run.status).to.equal(status);
        expect(run.errorCode).to.equal(errorCode);
        expect(run.attempts[0]!.verdict!.exitCode).to.equal(exitCode);
        // The verdict of a test is not a failure of its workflow.
        expect(await stack.temporal.workflow.getHandle(id).result()).to.deep.equal({ status });
      });
    }
  });

  describe('being stopped', () => {
    let project: ImportedProject;
    const mark = `E2E_STOP=${Date.now()}`;

    before(async () => {
      project = await stack.importText(`
project: Stop
tests:
  - name: Long
    command: [sh, -c, 'sleep 300 & sleep 300']
    env: { E2E_STOP: '${mark.split('=')[1]}' }
  - { name: Nowhere, command: ['true'], pool: unserved }
suites:
  - { name: Longs, tests: [Long, Long, Long, Long], parallelism: 2 }
`);
    });

    for (const way of ['cancel', 'terminate'] as const) {
      it(`a ${way} of a running test's workflow ends it as stopped, and leaves no process`, async () => {
        const { id } = await trigger(webhookUrl(stack, project, 'tests', 'Long'));
        await runWithStatus(stack, id, 'running');
        await eventually(() => processesWith(mark).length > 0 || undefined);
        await stack.temporal.workflow.getHandle(id)[way]();
        expect((await endedRun(stack, id, 15_000)).status).to.equal('stopped');
        await eventually(() => processesWith(mark).length === 0 || undefined);
      });
    }

    it('a cancellation before a worker has started the test', async () => {
      const { id } = await trigger(webhookUrl(stack, project, 'tests', 'Nowhere'));
      await eventually(async () => (await stack.temporal.workflow.getHandle(id).describe()) && true);
      await stack.temporal.workflow.getHandle(id).cancel();
      expect((await endedRun(stack, id)).status).to.equal('stopped');
    });

    it('a cancellation of a suite stops running tests and skips the others', async () => {
      const { id } = await trigger(webhookUrl(stack, project, 'suites', 'Longs'));
      await eventually(async () =>
        (await stack.collections.runs.countDocuments({ suiteRunId: id, status: 'running' })) === 2 ? true : undefined,
      );
      await stack.temporal.workflow.getHandle(id).cancel();
      const suite = await endedRun(stack, id, 15_000);
      expect(suite.status).to.equal('stopped');
      expect(suite.counts).to.include({ stopped: 2, skipped: 2, running: 0, queued: 0 });
      await eventually(() => processesWith(mark).length === 0 || undefined);
    });

    it('the removal of their project ends running and waiting runs as stopped, and leaves no process', async () => {
      const { collections } = stack;
      const gone = await stack.importText(`
project: Removed
tests:
  - name: Long
    command: [sh, -c, 'sleep 300 & sleep 300']
    env: { E2E_STOP: '${mark.split('=')[1]}' }
  - { name: Nowhere, command: ['true'], pool: unserved }
suites:
  - { name: Longs, tests: [Long, Long, Long], parallelism: 1 }
`);
      const started = await Promise.all([
        trigger(webhookUrl(stack, gone, 'tests', 'Long')),
        trigger(webhookUrl(stack, gone, 'tests', 'Nowhere')),
        trigger(webhookUrl(stack, gone, 'suites', 'Longs')),
      ]);
      const ofProject = { projectId: gone.projectId };
      await eventually(
        async () =>
          (await collections.runs.countDocuments({ ...ofProject, kind: 'test', status: 'running' })) === 2 || undefined,
        20_000,
      );
      await eventually(() => processesWith(mark).length > 0 || undefined);
      const admin = await addPerson(collections, { isAdmin: true });
      const headers = { ...admin.tokenHeaders, 'if-match': '*' };
      const url = `${stack.baseUrl}/api/v2/projects/${gone.projectId}/`;
      expect((await fetch(url, { method: 'DELETE', headers })).status).to.equal(204);
      const ended = await Promise.all(started.map(({ id }) => endedRun(stack, id, 30_000)));
      expect(ended.map(({ status }) => status)).to.deep.equal(['stopped', 'stopped', 'stopped']);
      await eventually(() => processesWith(mark).length === 0 || undefined);
      expect(await collections.runs.countDocuments({ ...ofProject, status: { $in: [...OPEN_STATUSES] } })).to.equal(0);
      const seen = await fetch(`${stack.baseUrl}/api/v2/testruns/${started[0]!.id}/`, { headers: admin.tokenHeaders });
      expect(await seen.json()).to.include({ status: 'stopped' });
    }).timeout(90_000);

    it('a termination of a suite, and of a test that has not started, is repaired by the reconcile schedule', async () => {
      const [suite, test] = await Promise.all([
        trigger(webhookUrl(stack, project, 'suites', 'Longs')),
        trigger(webhookUrl(stack, project, 'tests', 'Nowhere')),
      ]);
      await eventually(async () =>
        (await stack.collections.runs.countDocuments({ suiteRunId: suite.id, status: 'running' })) === 2
          ? true
          : undefined,
      );
      await eventually(async () => (await stack.temporal.workflow.getHandle(test.id).describe()) && true);
      await Promise.all([suite, test].map(({ id }) => stack.temporal.workflow.getHandle(id).terminate()));
      const ended = await Promise.all([suite, test].map(({ id }) => endedRun(stack, id, 120_000)));
      await eventually(() => processesWith(mark).length === 0 || undefined, 10_000);
      expect(ended.map((run) => run.status)).to.deep.equal(['stopped', 'stopped']);
      expect(ended[0]!.counts).to.include({ stopped: 2, skipped: 2 });
    }).timeout(150_000);
  });
});
