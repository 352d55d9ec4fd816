import { mock } from 'node:test';
import { ActivityCancellationDetails, ApplicationFailure, CancelledFailure } from '@temporalio/common';
import type { MockActivityEnvironment } from '@temporalio/testing';
import { expect } from 'chai';
import { createExecuteTestActivities, type ExecuteTestDeps, type ExecuteTestInput } from '#activities/execute-test.js';
import type { SecretMask } from '#activities/run-log/masker.js';
import type { Attempt } from '#activities/runners/runner.js';
import type { Collections } from '#src/db/schema/collections.js';
import { createRunStatusStore, type RunStatusStore } from '#src/db/runs/run-status-store.js';
import type { AttemptVerdict, TestRun } from '#src/domain/runs/run.js';
import { aTestRun } from '#test/builders/run.js';
import { DATABASE_TIMEOUT_MS, testDatabase } from '#test/support/database.js';
import { eventually } from '#test/support/eventually.js';
import { gate } from '#test/support/gate.js';
import { activityEnvironment } from './activity-environment.js';

type Answer = AttemptVerdict | ((attempt: Attempt) => Promise<AttemptVerdict>);

const NO_SPOOL: ExecuteTestDeps['verdicts'] = {
  keep: async () => {},
  find: async () => undefined,
  remove: async () => {},
  all: async () => [],
};

/** A runner that continues until it is stopped. */
const untilStopped: Answer = ({ signal }) =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve({ status: 'stopped' })));

describe('executeTest', () => {
  let collections: Collections;
  let statuses: RunStatusStore;
  let attempts: Attempt[];
  let logged: string[];
  let closedLogs: number;

  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    ({ collections } = await testDatabase());
    statuses = createRunStatusStore(collections.runs);
  });
  beforeEach(() => {
    attempts = [];
    logged = [];
    closedLogs = 0;
  });
  afterEach(() => mock.timers.reset());

  async function accepted(some: Partial<TestRun> = {}): Promise<TestRun> {
    const run = aTestRun(some);
    await collections.runs.insertOne(run);
    return run;
  }

  const recorded = async (run: TestRun) => (await collections.runs.findOne({ _id: run._id })) as TestRun;

  /** Executes a delivery of an attempt. */
  function execute(
    run: { _id: string },
    answer: Answer,
    input: Partial<ExecuteTestInput> = {},
    { environment = activityEnvironment(), ...deps }: Partial<ExecuteTestDeps> & Environment = {},
  ) {
    const { executeTest } = createExecuteTestActivities({
      statuses,
      worker: 'worker-1',
      runnerOf: () => ({
        async run(_definition, attempt) {
          attempts.push(attempt);
          return typeof answer === 'function' ? answer(attempt) : answer;
        },
      }),
      variablesOf: async () => ({ values: {}, secrets: [] }),
      openLog: () => ({
        write: async (stream, text) => void logged.push(`${stream}: ${text.toString()}`),
        close: async () => void closedLogs++,
      }),
      openSteps: () => ({ write: async () => {}, close: async () => {} }),
      artifactsOf: () => ({ add: async () => true, notes: () => [] }),
      openWorkspace: async () => ({ folder: '/', close: async () => {} }),
      collectOutputs: async (_run, _delivery, _attempt, verdict) => verdict,
      isPoolOpen: async () => true,
      isWorkflowClosed: async () => false,
      verdicts: NO_SPOOL,
      watch: { add: () => () => {} },
      heartbeatMs: 10_000,
      ...deps,
    });
    return environment.run(executeTest, { runId: run._id, attempt: 1, lastAttempt: true, ...input }) as ReturnType<
      typeof executeTest
    >;
  }

  interface Environment {
    environment?: MockActivityEnvironment;
  }

  const failure = (promise: Promise<unknown>) =>
    promise.then(
      () => expect.fail('it did not fail'),
      (error: unknown) => error,
    );

  it('records `running` while it runs, and the verdict', async () => {
    const run = await accepted({ dispatch: { after: new Date(), attempts: 0 } });
    const { status } = await execute(run, async () => {
      const { status, attempt, startedAt } = await recorded(run);
      expect({ status, attempt }).to.deep.equal({ status: 'running', attempt: 1 });
      expect(startedAt).to.be.instanceOf(Date);
      return { status: 'passed', exitCode: 0 };
    });
    expect(status).to.equal('passed');
    const after = await recorded(run);
    expect(after).to.include({ status: 'passed' }).and.not.have.property('dispatch');
    expect(after.endedAt).to.be.instanceOf(Date);
    expect(after.attempts).to.have.length(1);
    expect(after.attempts[0]).to.deep.include({
      number: 1,
      delivery: 1,
      worker: 'worker-1',
      verdict: { status: 'passed', exitCode: 0 },
    });
    expect(logged).to.deep.equal([]);
    expect(closedLogs).to.equal(1);
  });

  it('passes the snapshot, the ids and a signal to the runner', async () => {
    const run = await accepted();
    await execute(
      run,
      { status: 'passed' },
      {},
      {
        runnerOf: (definition) => ({
          async run(given, { runId, testId, number, signal }) {
            expect(given).to.deep.equal(run.definition).and.to.equal(definition);
            expect({ runId, testId, number }).to.deep.equal({ runId: run._id, testId: run.targetId, number: 1 });
            expect(signal.aborted).to.equal(false);
            return { status: 'passed' };
          },
        }),
      },
    );
    expect((await recorded(run)).status).to.equal('passed');
  });

  it('passes the variables to the runner, and masks secrets in its message', async () => {
    const run = await accepted();
    const variables = { values: { A: 'hunter22' }, secrets: ['hunter22'] };
    const verdict = {
      status: 'error' as const,
      errorCode: 'COMMAND_NOT_FOUND' as const,
      errorMessage: 'no /hunter22/x',
    };
    let mask: SecretMask | undefined;
    const deps: Partial<ExecuteTestDeps> = {
      variablesOf: async (of) => (of._id === run._id ? variables : { values: {}, secrets: [] }),
      openLog: (_runId, _delivery, _signal, given) => {
        mask = given;
        return { write: async () => {}, close: async () => {} };
      },
    };
    await execute(run, verdict, {}, deps);
    expect(attempts[0]!.variables).to.deep.equal({ A: 'hunter22' });
    expect(mask!.text('say hunter22')).to.equal('say ***');
    expect((await recorded(run)).errorMessage).to.equal('no /***/x');
  });

  it('ends a run immediately if its variables are unreadable', async () => {
    const run = await accepted();
    const deps = {
      variablesOf: async () => ({ unreadable: 'The key is missing.', errorCode: 'SECRETS_UNREADABLE' as const }),
    };
    const { status } = await execute(run, { status: 'passed' }, { lastAttempt: false }, deps);
    expect(status).to.equal('error');
    expect(attempts).to.deep.equal([]);
    expect(await recorded(run)).to.include({
      status: 'error',
      errorCode: 'SECRETS_UNREADABLE',
      errorMessage: 'The key is missing.',
    });
  });

  it('starts nothing in a pool that the project can no longer use, without retries', async () => {
    const run = await accepted();
    const asked: string[][] = [];
    const isPoolOpen = async (...of: string[]) => asked.push(of) === 0;
    const { status } = await execute(run, { status: 'passed' }, { lastAttempt: false }, { isPoolOpen });
    expect([status, attempts, asked]).to.deep.equal(['error', [], [['default', run.projectId]]]);
    const ended = await recorded(run);
    expect(ended).to.include({ status: 'error', errorCode: 'POOL_CLOSED' });
    expect(ended.errorMessage).to.include('"default"').and.to.include('admin');
  });

  it('records `auto_retrying` when another attempt follows, and keeps both attempts', async () => {
    const run = await accepted();
    const first = await execute(run, { status: 'failed', exitCode: 1 }, { lastAttempt: false });
    expect(first.status).to.equal('auto_retrying');
    expect(await recorded(run))
      .to.include({ status: 'auto_retrying' })
      .and.not.have.property('endedAt');
    const second = await execute(run, { status: 'passed', exitCode: 0 }, { attempt: 2 });
    expect(second.status).to.equal('passed');
    const { attempts: both, status } = await recorded(run);
    expect(status).to.equal('passed');
    expect(both.map(({ number, verdict }) => [number, verdict?.status])).to.deep.equal([
      [1, 'failed'],
      [2, 'passed'],
    ]);
  });

  it('does not retry errors that would repeat', async () => {
    const verdicts: [AttemptVerdict, string][] = [
      [{ status: 'error', errorCode: 'COMMAND_NOT_FOUND', errorMessage: 'no such program' }, 'error'],
      [{ status: 'error', errorCode: 'TEST_TIMEOUT' }, 'auto_retrying'],
      [{ status: 'error', errorCode: 'KILLED' }, 'auto_retrying'],
      [{ status: 'passed' }, 'passed'],
    ];
    for (const [verdict, expected] of verdicts) {
      const run = await accepted();
      const { status } = await execute(run, verdict, { lastAttempt: false });
      expect(status, JSON.stringify(verdict)).to.equal(expected);
      expect((await recorded(run)).status).to.equal(expected);
    }
  });

  it('reports a lost worker in the log and the record', async () => {
    const run = await accepted();
    await statuses.beginAttempt(run._id, { attempt: 1 }, 'worker-0');
    await execute(run, { status: 'passed' }, {}, { environment: activityEnvironment(2) });
    expect(logged.join()).to.match(/^system: .*worker-1.*lost/);
    const { attempts: only, attempt } = await recorded(run);
    expect(attempt).to.equal(1);
    expect(only.map(({ number, delivery, worker }) => ({ number, delivery, worker }))).to.deep.equal([
      { number: 1, delivery: 2, worker: 'worker-1' },
    ]);
  });

  it('does not run again when the verdict is recorded', async () => {
    for (const [verdict, lastAttempt, expected] of [
      [{ status: 'failed' }, true, 'failed'],
      [{ status: 'failed' }, false, 'auto_retrying'],
    ] as const) {
      const run = await accepted();
      await execute(run, verdict, { lastAttempt });
      const before = await recorded(run);
      attempts = [];
      // The worker died between the write and its response to Temporal.
      const again = await execute(run, { status: 'passed' }, { lastAttempt }, { environment: activityEnvironment(2) });
      expect(again.status).to.equal(expected);
      expect(attempts).to.deep.equal([]);
      expect(await recorded(run)).to.deep.equal(before);
    }
  });

  it('does not run when the run is over, deleted, or taken over by a later delivery', async () => {
    const stopped = await accepted();
    await statuses.endRun(stopped._id, { status: 'stopped' });
    expect(await execute(stopped, { status: 'passed' })).to.deep.equal({ status: 'stopped' });

    const gone = await failure(execute({ _id: 'gone' }, { status: 'passed' }));
    expect(gone).to.be.instanceOf(ApplicationFailure).and.include({ type: 'RunGone', nonRetryable: true });

    const taken = await accepted();
    const later = activityEnvironment(2).context.info.workflowExecution!.runId;
    await statuses.beginAttempt(taken._id, { attempt: 1, task: { workflow: later, order: 2 } }, 'worker-2');
    const superseded = await failure(execute(taken, { status: 'passed' }));
    expect(superseded).to.be.instanceOf(ApplicationFailure).and.include({ type: 'Superseded', nonRetryable: true });
    expect(attempts).to.deep.equal([]);
  });

  describe('delivery numbers', () => {
    /** Continues until the gate is opened. */
    const untilOpened = (opened: Promise<void>, status: 'passed' | 'failed') => async () => (await opened, { status });

    it("do not repeat when the workflow schedules the attempt again, and the last delivery's verdict counts", async () => {
      const run = await accepted();
      const deliveries: number[] = [];
      const openLog: ExecuteTestDeps['openLog'] = (_runId, { delivery }) => {
        deliveries.push(delivery);
        return { write: async () => {}, close: async () => {} };
      };
      const [first, second] = [gate(), gate()];
      const lost = execute(run, untilOpened(first.opened, 'failed'), {}, { openLog });
      await eventually(() => attempts[0]);
      // Lost to Temporal, but still running; not started within a limit; scheduled again: Temporal counts from 1 again.
      const environment = activityEnvironment(1, { activityId: '7' });
      const again = execute(run, untilOpened(second.opened, 'passed'), {}, { openLog, environment });
      await eventually(() => attempts[1]);
      first.open();
      expect(await failure(lost)).to.include({ type: 'Superseded' });
      expect((await recorded(run)).status).to.equal('running');
      second.open();
      expect(await again).to.deep.equal({ status: 'passed' });
      expect(deliveries).to.deep.equal([1, 2]);
      expect((await recorded(run)).attempts[0]).to.include({ delivery: 2 });
    });

    it('do not change when a start is repeated, and outdated tasks start nothing', async () => {
      const run = await accepted();
      const begin = (order: number) =>
        statuses.beginAttempt(run._id, { attempt: 1, task: { workflow: 'w', order } }, `worker-${order}`);
      for (const repeated of [1, 2]) {
        const begun = await begin(3);
        expect(begun.done && begun.delivery, `call ${repeated}`).to.deep.equal({ attempt: 1, delivery: 1 });
      }
      expect((await begin(2)).done).to.equal(false);
      const later = await begin(9);
      expect(later.done && later.delivery.delivery).to.equal(2);
      expect((await begin(3)).done).to.equal(false);
      expect((await recorded(run)).attempts).to.have.length(1);
    });

    it('continue from the number of a record of an earlier version', async () => {
      const begun = { number: 1, delivery: 14, worker: 'old', startedAt: new Date() };
      const run = await accepted({ status: 'running', attempt: 1, attempts: [begun], seq: 1_000_141 });
      expect((await execute(run, { status: 'passed' })).status).to.equal('passed');
      expect((await recorded(run)).attempts[0]).to.include({ delivery: 15 });
    });
  });

  it('returns the earlier end if the run was ended while it was running', async () => {
    const run = await accepted();
    const { status } = await execute(run, async () => {
      await statuses.endRun(run._id, { status: 'error', errorCode: 'INTERNAL' });
      return { status: 'passed' };
    });
    expect(status).to.equal('error');
    expect((await recorded(run)).status).to.equal('error');
  });

  describe('when the attempt must end', () => {
    const canceledFor = (reason: Partial<ActivityCancellationDetails>) => {
      const environment = activityEnvironment();
      const cancel = () => environment.cancel('CANCELLED', new ActivityCancellationDetails(reason));
      return { environment, cancel };
    };
    const whenRunning =
      (then: () => void, answer: Answer): Answer =>
      async (attempt) => {
        const verdict = typeof answer === 'function' ? answer(attempt) : Promise.resolve(answer);
        then();
        return verdict;
      };

    it('records `stopped` on a cancellation', async () => {
      const run = await accepted();
      const { environment, cancel } = canceledFor({ cancelRequested: true });
      const error = await failure(execute(run, whenRunning(cancel, untilStopped), {}, { environment }));
      expect(error).to.be.instanceOf(CancelledFailure);
      const {
        status,
        attempts: [only],
      } = await recorded(run);
      expect(status).to.equal('stopped');
      expect(only!.verdict).to.deep.equal({ status: 'stopped' });
      expect(closedLogs).to.equal(1);
    });

    it('keeps a verdict that came before the cancellation, and allows no further attempt', async () => {
      for (const status of ['passed', 'failed'] as const) {
        const run = await accepted();
        const { environment, cancel } = canceledFor({ cancelRequested: true });
        const ended = execute(run, whenRunning(cancel, { status }), { lastAttempt: false }, { environment });
        expect(await ended).to.deep.equal({ status });
        expect((await recorded(run)).status).to.equal(status);
      }
    });

    it('leaves the run to another delivery when the worker shuts down', async () => {
      const run = await accepted();
      const { environment, cancel } = canceledFor({ workerShutdown: true });
      const error = await failure(execute(run, whenRunning(cancel, untilStopped), {}, { environment }));
      expect(error).to.be.instanceOf(ApplicationFailure).and.include({ type: 'WorkerShutdown' });
      expect((error as ApplicationFailure).nonRetryable).not.to.equal(true);
      const {
        status,
        attempts: [only],
      } = await recorded(run);
      expect(status).to.equal('running');
      expect(only).not.to.have.property('verdict');
      const next = await execute(run, { status: 'passed' }, {}, { environment: activityEnvironment(2) });
      expect(next.status).to.equal('passed');
    });

    it('records `stopped` on a termination', async () => {
      const run = await accepted();
      const { environment, cancel } = canceledFor({ notFound: true });
      const isWorkflowClosed = async (runId: string) => runId === run._id;
      const stop = execute(run, whenRunning(cancel, untilStopped), {}, { environment, isWorkflowClosed });
      expect(await failure(stop)).to.be.instanceOf(CancelledFailure);
      expect((await recorded(run)).status).to.equal('stopped');
    });

    it('records nothing if another worker has the attempt', async () => {
      const run = await accepted();
      const { environment, cancel } = canceledFor({ notFound: true });
      const end = execute(run, whenRunning(cancel, untilStopped), {}, { environment });
      expect(await failure(end)).to.be.instanceOf(CancelledFailure);
      expect((await recorded(run)).status).to.equal('running');
    });
  });

  for (const { how, heartbeatTimeoutMs, everyMs } of [
    { how: 'at the configured interval', heartbeatTimeoutMs: 90_000, everyMs: 10_000 },
    { how: 'three times within a shorter timeout', heartbeatTimeoutMs: 15_000, everyMs: 5000 },
  ])
    it(`sends heartbeats ${how} until it ends`, async () => {
      const run = await accepted();
      const environment = activityEnvironment(1, { heartbeatTimeoutMs });
      let heartbeats = 0;
      environment.on('heartbeat', () => heartbeats++);
      mock.timers.enable({ apis: ['setInterval'] });
      const ticked = gate();
      const end = execute(run, async () => (await ticked.opened, { status: 'passed' }), {}, { environment });
      mock.timers.tick(everyMs - 1);
      expect(heartbeats).to.equal(0);
      mock.timers.tick(2 * everyMs + 1);
      expect(heartbeats).to.equal(3);
      ticked.open();
      await end;
      mock.timers.tick(10 * everyMs);
      expect(heartbeats).to.equal(3);
    });

  it('retries writes that the database rejected', async () => {
    const run = await accepted();
    const refuseOnce = <A extends unknown[], R>(write: (...args: A) => Promise<R>) => {
      let refused = false;
      return async (...args: A) => {
        if (refused) return write(...args);
        refused = true;
        throw new Error('the database is unavailable');
      };
    };
    const flaky = { beginAttempt: refuseOnce(statuses.beginAttempt), endAttempt: refuseOnce(statuses.endAttempt) };
    expect(await execute(run, { status: 'passed' }, {}, { statuses: flaky })).to.deep.equal({ status: 'passed' });
    expect((await recorded(run)).status).to.equal('passed');
    expect(attempts).to.have.length(1);
  });

  it('closes the log and fails when the runner throws', async () => {
    const run = await accepted();
    const error = await failure(execute(run, () => Promise.reject(new Error('broken runner'))));
    expect(error).to.include({ message: 'broken runner' });
    expect(closedLogs).to.equal(1);
  });
});
