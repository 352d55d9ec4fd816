import { expect } from 'chai';
import { WorkflowFailedError } from '@temporalio/client';
import { sharedEnvironment } from './support/shared-environment.js';
import { eventsOf, type WorkflowEnvironment } from './support/environment.js';
import { testRunCases, type Ended } from './support/test-run-cases.js';

/** Closed as `Canceled` in Temporal, with this as the only recorded end. */
async function expectStopped({ handle, journal, result, shown }: Ended): Promise<void> {
  expect(result).to.equal(undefined);
  expect((await handle.describe()).status.name).to.equal('CANCELLED');
  expect(await handle.result().catch((error: unknown) => error)).to.be.instanceOf(WorkflowFailedError);
  expect(journal.inputs('recordEnd')).to.deep.equal([{ runId: handle.workflowId, status: 'stopped' }]);
  expect(shown.at(-1)).to.equal('stopped');
}

describe('testRun', () => {
  let environment: WorkflowEnvironment;
  before(async () => {
    environment = await sharedEnvironment();
  });

  it('costs one activity when the test passes', async () => {
    const { handle, journal, result, shown } = await testRunCases.passed(environment);
    expect(result).to.deep.equal({ status: 'passed' });
    expect(shown).to.deep.equal(['queued', 'passed']);
    expect(journal.entries.map(({ activity, phase }) => `${activity} ${phase}`)).to.deep.equal([
      'executeTest begins',
      'executeTest ends',
    ]);
    expect(journal.inputs('executeTest')).to.deep.equal([{ runId: handle.workflowId, attempt: 1, lastAttempt: true }]);
    expect(await eventsOf(handle, 'markerRecordedEventAttributes')).to.deep.equal([]);
    expect(await eventsOf(handle, 'timerStartedEventAttributes')).to.deep.equal([]);
  });

  it('allows ten deliveries without a timeout that an outage could reach, on the queue of its pool', async () => {
    const { handle } = await testRunCases.passed(environment);
    const [scheduled] = await eventsOf(handle, 'activityTaskScheduledEventAttributes');
    expect(scheduled!.taskQueue!.name).to.equal(`runhook-${environment.temporal.installationId}-runner-default`);
    expect(scheduled!.retryPolicy!.maximumAttempts).to.equal(10);
    expect(Number(scheduled!.startToCloseTimeout!.seconds), 'longer than runs are kept').to.equal(1000 * 24 * 3600);
    expect(Number(scheduled!.heartbeatTimeout!.seconds), 'a minute and its margin').to.equal(90);
  });

  it('completes with `failed` when the test fails', async () => {
    const { handle, journal, result, shown } = await testRunCases.failed(environment);
    expect(result).to.deep.equal({ status: 'failed' });
    expect((await handle.describe()).status.name).to.equal('COMPLETED');
    expect(shown).to.deep.equal(['queued', 'failed']);
    expect(journal.inputs('recordEnd')).to.deep.equal([]);
  });

  it('shows `auto_retrying` between attempts and makes no more than it needs', async () => {
    const { handle, journal, result, shown } = await testRunCases['auto-retrying'](environment);
    const runId = handle.workflowId;
    expect(result).to.deep.equal({ status: 'passed' });
    expect(shown).to.deep.equal(['queued', 'auto_retrying', 'passed']);
    expect(journal.inputs('executeTest')).to.deep.equal([
      { runId, attempt: 1, lastAttempt: false },
      { runId, attempt: 2, lastAttempt: false },
    ]);
  });

  it('marks the last attempt, and ends with its verdict', async () => {
    const { journal, result, shown } = await testRunCases['retries-used-up'](environment);
    expect(result).to.deep.equal({ status: 'failed' });
    expect(shown).to.deep.equal(['queued', 'auto_retrying', 'failed']);
    expect(journal.inputs('executeTest').map(({ lastAttempt }) => lastAttempt)).to.deep.equal([false, true]);
  });

  it('records `error` and completes when no worker can execute it', async () => {
    const { handle, journal, result, shown } = await testRunCases['worker-lost'](environment);
    expect(result).to.deep.equal({ status: 'error' });
    expect((await handle.describe()).status.name).to.equal('COMPLETED');
    expect(shown.at(-1)).to.equal('error');
    const [end, ...others] = journal.inputs('recordEnd');
    expect(end).to.include({ runId: handle.workflowId, status: 'error', errorCode: 'WORKER_LOST' });
    expect(end!.errorMessage).to.contain('worker');
    expect(others).to.deep.equal([]);
  });

  it('is stopped before a worker has started it', async () => {
    const ended = await testRunCases['stopped-while-queued'](environment);
    await expectStopped(ended);
    expect(ended.journal.inputs('executeTest')).to.deep.equal([]);
  });

  it('is stopped while it runs, after its activity has ended', async () => {
    const ended = await testRunCases['stopped-while-running'](environment);
    await expectStopped(ended);
    expect(ended.shown[0], 'before the activity had ended').to.equal('RUNNING');
    expect(ended.journal.entries.map(({ activity, phase }) => `${activity} ${phase}`)).to.deep.equal([
      'executeTest begins',
      'noteStop begins',
      'noteStop ends',
      'executeTest ends',
      'recordEnd begins',
      'recordEnd ends',
    ]);
  });

  it('is stopped when its worker found the stop in the record first', async () => {
    const { handle, journal, result, shown } = await testRunCases['stopped-by-the-record'](environment);
    expect(result).to.equal(undefined);
    expect((await handle.describe()).status.name).to.equal('CANCELLED');
    expect(shown.at(-1)).to.equal('stopped');
    expect(journal.inputs('noteStop')).to.deep.equal([{ runId: handle.workflowId }]);
    expect(journal.inputs('recordEnd'), 'its worker has recorded it').to.deep.equal([]);
  });

  it('passes the verdict of a worker that was shut down to the next one', async () => {
    const { journal, result } = await testRunCases['handed-over-with-its-verdict'](environment);
    expect(result).to.deep.equal({ status: 'failed' });
    expect(journal.inputs('executeTest').map(({ ended }) => ended)).to.deep.equal([undefined, { status: 'failed' }]);
  });

  it('keeps the verdict of a test that ended as the stop arrived', async () => {
    const { journal, result, shown } = await testRunCases['ended-while-stopped'](environment);
    expect(result).to.deep.equal({ status: 'failed' });
    expect(shown.at(-1)).to.equal('failed');
    expect(journal.inputs('recordEnd')).to.deep.equal([]);
  });

  it('is stopped, not in error, when the worker is lost during a stop', async () => {
    await expectStopped(await testRunCases['stopped-with-lost-worker'](environment));
  });

  it('is delivered again as often as workers are shut down', async () => {
    const { journal, result } = await testRunCases['handed-over'](environment);
    expect(result).to.deep.equal({ status: 'passed' });
    expect(
      journal.inputs('executeTest').map(({ attempt, earlierDeliveries }) => [attempt, earlierDeliveries]),
    ).to.deep.equal([
      [1, undefined],
      [1, 1],
      [1, 2],
    ]);
  });

  it('ends as NO_RUNNER when its pool has had no worker for the limit, and otherwise waits', async () => {
    const { journal, result, shown } = await testRunCases['no-runner'](environment);
    expect(result).to.deep.equal({ status: 'error' });
    expect(shown).to.deep.equal(['error']);
    expect(journal.inputs('findRunner')).to.deep.equal([{ pool: 'default' }, { pool: 'default' }]);
    const [end] = journal.inputs('recordEnd');
    expect(end).to.include({ status: 'error', errorCode: 'NO_RUNNER' });
    expect(end!.errorMessage).to.include('"default"').and.include('RUNHOOK_POOLS=default');
  });

  describe('that keeps its place', () => {
    it('ends as NO_RUNNER when its pool has had no worker for the limit', async () => {
      const { handle, journal, result, shown } = await testRunCases['no-runner-in-place'](environment);
      expect(result).to.deep.equal({ status: 'error' });
      expect(shown).to.deep.equal(['error']);
      expect(journal.inputs('findRunner')).to.deep.equal([{ pool: 'default' }, { pool: 'default' }]);
      expect(journal.inputs('isUntaken')).to.deep.equal([{ runId: handle.workflowId }]);
      expect(journal.inputs('recordEnd')[0]).to.include({ status: 'error', errorCode: 'NO_RUNNER' });
    });

    it('waits as long as its pool is busy, and is queued only once', async () => {
      const { handle, journal, result } = await testRunCases['waited-in-place'](environment);
      expect(result).to.deep.equal({ status: 'passed' });
      expect(journal.inputs('findRunner')).to.have.length(3);
      const scheduled = await eventsOf(handle, 'activityTaskScheduledEventAttributes');
      expect(scheduled).to.have.length(1);
      expect(Number(scheduled[0]!.scheduleToStartTimeout?.seconds ?? 0)).to.equal(0);
    });

    it('remains with a worker that executes it but cannot update its presence', async () => {
      const { journal, result } = await testRunCases['taken-by-an-unseen-runner'](environment);
      expect(result).to.deep.equal({ status: 'passed' });
      expect(journal.inputs('isUntaken')).to.have.length(1);
      expect(journal.inputs('recordEnd')).to.deep.equal([]);
    });
  });

  it('continues to count attempts in a later pass of its suite, and leaves the last attempt to the next pass', async () => {
    const { journal, result, shown } = await testRunCases['told-to-report'](environment);
    expect(result).to.deep.equal({ status: 'auto_retrying' });
    expect(shown).to.deep.equal(['auto_retrying']);
    expect(journal.inputs('executeTest')).to.have.length(1);
    expect(journal.inputs('executeTest')[0]).to.include({ attempt: 4, lastAttempt: false });
  });
});
