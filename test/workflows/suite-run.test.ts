import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkflowExecutionDescription } from '@temporalio/client';
import { expect } from 'chai';
import { eventually } from '#test/support/eventually.js';
import { eventsOf, type WorkflowEnvironment } from './support/environment.js';
import { sharedEnvironment } from './support/shared-environment.js';
import { stubActivities, type Journal } from './support/stub-activities.js';
import { runSuite, suiteRunCases } from './support/suite-run-cases.js';

/** Position of an activity's last end in the journal. */
const lastEnd = ({ entries }: Journal, name: string) =>
  entries.findLastIndex(({ activity, phase }) => activity === name && phase === 'ends');
const firstBegin = ({ entries }: Journal, name: string) =>
  entries.findIndex(({ activity, phase }) => activity === name && phase === 'begins');

/** Runhook's search attributes of a workflow. */
function ourAttributes({ typedSearchAttributes }: WorkflowExecutionDescription): Record<string, unknown> {
  const ours = typedSearchAttributes.getAll().filter(({ key }) => key.name.startsWith('Runhook'));
  return Object.fromEntries(ours.map(({ key, value }) => [key.name, value]));
}

describe('suiteRun', () => {
  let environment: WorkflowEnvironment;
  before(async () => {
    environment = await sharedEnvironment();
  });

  it('runs without search attributes where the namespace lacks them', async () => {
    const without = await environment.withoutAttributes('unlisted');
    const execute = async (position: number) => (position === 1 ? ('failed' as const) : ('passed' as const));
    for (const time of ['first', 'next']) {
      const { handle, result, started } = await runSuite(without, { execute });
      expect(result, time).to.deep.equal({ status: 'passed' });
      expect(started).to.deep.equal([0, 1, 2]);
      expect(ourAttributes(await handle.describe())).to.deep.equal({});
    }
  });

  it('runs its tests in order and ends with the status of its records', async () => {
    const { handle, journal, result, shown, started } = await suiteRunCases.passed(environment);
    expect(result).to.deep.equal({ status: 'passed' });
    expect(shown).to.deep.equal(['passed']);
    expect(started).to.deep.equal([0, 1, 2]);
    expect(journal.inputs('expandSuite')).to.deep.equal([{ runId: handle.workflowId }]);
    expect(journal.inputs('listSuiteTests')).to.deep.equal([{ runId: handle.workflowId, from: 0, limit: 100 }]);
    expect(journal.inputs('finishSuite')).to.deep.equal([{ runId: handle.workflowId, stopped: false }]);
    expect(journal.inputs('recordEnd')).to.deep.equal([]);
  });

  it('starts each test under its run id, with its plan and its name for operators', async () => {
    const { handle, journal, tests } = await suiteRunCases.passed(environment);
    const child = await environment.temporal.client.workflow.getHandle(tests[1]!.runId).describe();
    const suite = await handle.describe();
    expect(child.type).to.equal('testRun');
    expect(await child.staticSummary()).to.equal('Test: Test 1');
    expect(child.priority?.fairnessKey).to.equal(suite.priority?.fairnessKey).and.not.equal(undefined);
    expect(ourAttributes(child)).to.deep.equal({});
    expect(journal.inputs('executeTest')).to.deep.include({ runId: tests[1]!.runId, attempt: 1, lastAttempt: true });
  });

  it("sets a test's search attributes once an attempt did not pass", async () => {
    const { handle, tests } = await runSuite(environment, {
      size: 3,
      suite: ({ tests }) => {
        tests.forEach((test) => (test.retries = 1));
        return {};
      },
      execute: async (position, _suite, { attempt }) => {
        if (position === 2) return 'passed';
        return attempt === 1 ? 'auto_retrying' : position === 0 ? 'failed' : 'passed';
      },
    });
    const describe = (id: string) => environment.temporal.client.workflow.getHandle(id).describe();
    const projectId = ourAttributes(await handle.describe()).RunhookProject;
    const shown = await Promise.all(tests.map(async ({ runId }) => ourAttributes(await describe(runId))));
    const about = { RunhookProject: projectId, RunhookKind: 'test', RunhookTrigger: 'suite' };
    expect(shown).to.deep.equal([
      { ...about, RunhookTarget: tests[0]!.targetId, RunhookStatus: 'failed' },
      { ...about, RunhookTarget: tests[1]!.targetId, RunhookStatus: 'passed' },
      {},
    ]);
  });

  it('keeps exactly as many tests running as its parallelism while there are enough', async () => {
    const { most, started } = await runSuite(environment, { size: 12, parallelism: 3 });
    expect(most).to.equal(3);
    expect(started).to.deep.equal([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });

  it('does not let a slow test delay those behind it', async () => {
    const { most, started } = await runSuite(environment, {
      size: 5,
      parallelism: 2,
      async execute(position, { journal }) {
        if (position === 0) await eventually(() => (journal.inputs('executeTest').length === 5 ? true : undefined));
        return 'passed';
      },
    });
    expect(most).to.equal(2);
    expect(started).to.deep.equal([0, 1, 2, 3, 4]);
  });

  it('starts no more tests after a failure if so configured, and waits for running ones', async () => {
    const { handle, journal, started } = await suiteRunCases['stop-on-failure'](environment);
    expect(started).to.deep.equal([0, 1]);
    expect(firstBegin(journal, 'finishSuite')).to.be.greaterThan(lastEnd(journal, 'executeTest'));
    expect(journal.inputs('finishSuite')).to.deep.equal([{ runId: handle.workflowId, stopped: false }]);
    expect((await handle.describe()).status.name).to.equal('COMPLETED');
  });

  it('starts nothing for missing tests', async () => {
    const { started, tests, journal, result } = await suiteRunCases['tests-missing'](environment);
    expect(started).to.deep.equal([1, 3]);
    expect(journal.inputs('executeTest').map(({ runId }) => runId)).to.have.members([tests[1]!.runId, tests[3]!.runId]);
    expect(result).to.deep.equal({ status: 'passed' }); // As its stub returns; the records decide.
  });

  it('starts no more tests after a missing one if it stops on failure', async () => {
    const { started, journal, handle } = await suiteRunCases['stop-on-missing-test'](environment);
    expect(started).to.deep.equal([0]);
    expect(journal.inputs('finishSuite')).to.deep.equal([{ runId: handle.workflowId, stopped: false }]);
  });

  it('runs all tests after a failure by default', async () => {
    const { started, journal } = await suiteRunCases['continue-on-failure'](environment);
    expect(started).to.deep.equal([0, 1, 2, 3]);
    expect(journal.inputs('executeTest')).to.have.length(4);
  });

  it('runs a test twice that it lists twice', async () => {
    const { journal, tests, result } = await runSuite(environment, {
      size: 2,
      suite: ({ tests: [first, second] }) => {
        second!.targetId = first!.targetId;
        return {};
      },
    });
    expect(result).to.deep.equal({ status: 'passed' });
    expect(journal.inputs('executeTest').map(({ runId }) => runId)).to.have.members(tests.map(({ runId }) => runId));
  });

  it('when stopped, stops its tests and ends after the last of them', async () => {
    const { handle, journal, result, shown, started, tests } = await suiteRunCases.stopped(environment);
    expect(result).to.equal(undefined);
    expect((await handle.describe()).status.name).to.equal('CANCELLED');
    expect(shown).to.deep.equal(['stopped']);
    expect(started).to.deep.equal([0, 1]);
    for (const { runId } of tests.slice(0, 2)) {
      const child = await environment.temporal.client.workflow.getHandle(runId).describe();
      expect(child.status.name).to.equal('CANCELLED');
      expect(journal.inputs('recordEnd')).to.deep.include({ runId, status: 'stopped' });
    }
    expect(firstBegin(journal, 'finishSuite')).to.be.greaterThan(lastEnd(journal, 'recordEnd'));
    expect(journal.inputs('finishSuite')).to.deep.equal([{ runId: handle.workflowId, stopped: true }]);
  });

  it('continues as new without waiting for its running tests', async () => {
    const { handle, journal, result, runs, most, started, tests } =
      await suiteRunCases['continued-as-new'](environment);
    expect(result).to.deep.equal({ status: 'passed' });
    expect(runs).to.be.greaterThan(2);
    expect(most).to.equal(5);
    expect(started).to.deep.equal(tests.map(({ position }) => position));
    expect(journal.inputs('executeTest').map(({ runId }) => runId)).to.have.members(tests.map(({ runId }) => runId));
    expect(journal.inputs('expandSuite')).to.have.length(1);
    expect(journal.inputs('finishSuite')).to.deep.equal([{ runId: handle.workflowId, stopped: false }]);
  });

  it('looks the same to operators in later workflow runs, and answers the progress query', async () => {
    const { handle } = await suiteRunCases['continued-as-new'](environment);
    const { typedSearchAttributes, priority } = await handle.describe();
    const shown = Object.fromEntries(typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value]));
    expect(shown).to.include.keys('RunhookProject', 'RunhookTarget', 'RunhookTrigger');
    expect(shown).to.include({ RunhookKind: 'suite', RunhookStatus: 'passed' });
    expect(priority?.fairnessKey).to.equal(shown.RunhookProject);
    const asked = () => Promise.all([handle.query('progress'), handle.query('__temporal_workflow_metadata')]);
    const [counts, metadata] = await environment.withWorkers(stubActivities().activities, asked);
    expect(counts).to.include({ passed: 80, running: 0, queued: 0 });
    expect(metadata).to.have.property('currentDetails', 'Suite: Smoke\n\n80 tests: 80 passed');
  });

  it('loses no end of a test and counts none twice, however often it continues as new', async () => {
    const { journal, result, most, started, runs } = await runSuite(environment, {
      size: 250,
      parallelism: 20,
      // Ends that arrive right before and after continue-as-new.
      execute: (position) => sleep((position * 7919) % 60, 'passed' as const),
    });
    expect(result).to.deep.equal({ status: 'passed' });
    expect(runs).to.be.greaterThan(1);
    expect(most).to.equal(20);
    expect(started).to.deep.equal(Array.from({ length: 250 }, (_, position) => position));
    expect(journal.inputs('executeTest')).to.have.length(250);
    expect(journal.inputs('listSuiteTests').every(({ limit }) => limit === 100)).to.equal(true);
  }).timeout(120_000);

  it('when stopped, also stops the tests that an earlier workflow run started', async () => {
    const { handle, journal, runs, tests } = await suiteRunCases['stopped-after-continuing'](environment);
    expect(runs).to.be.greaterThan(1);
    expect((await handle.describe()).status.name).to.equal('CANCELLED');
    const stopped = journal.inputs('recordEnd').map(({ runId, status }) => [runId, status]);
    for (const { runId } of tests.slice(0, 2)) expect(stopped).to.deep.include([runId, 'stopped']);
    expect(firstBegin(journal, 'finishSuite')).to.be.greaterThan(lastEnd(journal, 'recordEnd'));
    expect(journal.inputs('finishSuite')).to.deep.equal([{ runId: handle.workflowId, stopped: true }]);
  });

  it('does not wait forever for a terminated test of an earlier workflow run', async () => {
    const { journal, result, runs, tests } = await suiteRunCases['inherited-test-terminated'](environment);
    expect(runs).to.be.greaterThan(1);
    expect(result).to.deep.equal({ status: 'passed' });
    expect(journal.inputs('endedRuns')[0]).to.deep.equal({ runIds: [tests[0]!.runId] });
  });

  it('stops its tests at its timeout', async () => {
    const { handle, journal, result, started, tests } = await suiteRunCases['timed-out'](environment);
    expect(result).to.deep.equal({ status: 'error' });
    expect(started).to.deep.equal([0, 1, 2, 3]);
    expect(journal.inputs('recordEnd')).to.deep.equal([{ runId: tests[1]!.runId, status: 'stopped' }]);
    expect(journal.inputs('finishSuite')).to.deep.equal([
      { runId: handle.workflowId, stopped: false, timedOutAfterMs: 1000 },
    ]);
  });

  it('runs failed tests again, as often as configured', async () => {
    const { journal, result, started } = await suiteRunCases['failed-tests-again'](environment);
    expect(result).to.deep.equal({ status: 'passed' });
    expect(started).to.deep.equal([0, 1, 2, 0, 1, 1]);
    const calls = journal.inputs('executeTest').map(({ attempt, lastAttempt }) => [attempt, lastAttempt]);
    expect(calls).to.have.deep.members([
      [1, false],
      [1, false],
      [1, false],
      [2, false],
      [2, false],
      [3, true],
    ]);
  });

  it('does so immediately if the first failure ends it', async () => {
    const { journal, result, started } = await suiteRunCases['failed-tests-again-at-once'](environment);
    expect(result).to.deep.equal({ status: 'passed' });
    expect(started).to.deep.equal([0, 1, 2]);
    expect(journal.inputs('executeTest').map(({ attempt, lastAttempt }) => [attempt, lastAttempt])).to.deep.equal([
      [1, false],
      [2, true],
      [1, false],
      [1, false],
    ]);
  });

  for (const [name, theCase] of [
    ['terminated', suiteRunCases['test-terminated']],
    ['cancelled', suiteRunCases['test-cancelled']],
  ] as const) {
    it(`continues when one of its tests is ${name}, which is recorded as stopped`, async () => {
      const { handle, journal, result, started, tests } = await theCase(environment);
      expect(result).to.deep.equal({ status: 'passed' });
      expect(started).to.deep.equal([0, 1, 2]);
      expect(journal.inputs('recordEnd')).to.deep.include({ runId: tests[0]!.runId, status: 'stopped' });
      expect(journal.inputs('recordEnd').every(({ runId }) => runId === tests[0]!.runId)).to.equal(true);
      expect(journal.inputs('finishSuite')).to.deep.equal([{ runId: handle.workflowId, stopped: false }]);
    });
  }

  it('ends immediately when its record is over', async () => {
    const { journal, result, shown, started } = await suiteRunCases.over(environment);
    expect(result).to.deep.equal({ status: 'error' });
    expect(shown).to.deep.equal(['error']);
    expect(started).to.deep.equal([]);
    expect(journal.inputs('listSuiteTests')).to.deep.equal([]);
  });

  it('when stopped while its test runs are inserted, ends afterwards', async () => {
    const { handle, journal, started } = await suiteRunCases['stopped-while-expanding'](environment);
    expect((await handle.describe()).status.name).to.equal('CANCELLED');
    expect(started).to.deep.equal([]);
    expect(firstBegin(journal, 'finishSuite')).to.be.greaterThan(lastEnd(journal, 'expandSuite'));
    expect(journal.inputs('finishSuite')).to.deep.equal([{ runId: handle.workflowId, stopped: true }]);
    expect(await eventsOf(handle, 'startChildWorkflowExecutionInitiatedEventAttributes')).to.deep.equal([]);
  });
});
