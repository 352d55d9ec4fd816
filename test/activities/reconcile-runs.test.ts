import { expect } from 'chai';
import { createReconcileActivities, type ReconcileDeps, type ReconcileResult } from '#activities/reconcile-runs.js';
import type { Collections } from '#src/db/schema/collections.js';
import { createOpenRunStore } from '#src/db/runs/open-run-store.js';
import { createPendingStarts } from '#src/db/runs/pending-starts.js';
import { recountSuites } from '#src/db/suite-runs/recount-suites.js';
import { createRunStatusStore, skipWaiting } from '#src/db/runs/run-status-store.js';
import { countTestRuns } from '#src/db/suite-runs/suite-counts.js';
import type { Clock } from '#src/domain/clock.js';
import type { WorkflowState } from '#src/domain/runs/reconciliation.js';
import { statusCounts } from '#src/domain/runs/run-status.js';
import type { Run, SuiteRun, TestRun } from '#src/domain/runs/run.js';
import { aSuiteRun, aTestRun } from '#test/builders/run.js';
import { DATABASE_TIMEOUT_MS, testDatabase } from '#test/support/database.js';
import { activityEnvironment } from './activity-environment.js';

/** Long enough ago for a run to be checked. */
const A_MINUTE_AGO = new Date(Date.now() - 60_000);
const HOUR_MS = 3_600_000;
const LOST_MS = 600_000;
/** A run whose workflow has been missing for long enough. */
const lost = { missingSince: new Date(Date.now() - 2 * LOST_MS) };
const attempt = { number: 1, delivery: 1, worker: 'w', startedAt: A_MINUTE_AGO };

/** A workflow that completed with this status as its result. */
const completed = (status: string): WorkflowState => ({
  status: 'COMPLETED',
  closedAt: new Date(),
  result: { status },
});

describe('reconcileOpenRuns', () => {
  let collections: Collections;
  let clock: Clock;
  /** The workflows in Temporal, by run id. */
  let workflows: Map<string, WorkflowState>;
  /** Calls of Temporal. */
  let asked: string[];
  let cancelled: string[];
  let started: string[];
  let reports: Parameters<ReconcileDeps['report']>[0][];
  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    ({ collections, clock } = await testDatabase());
  });
  beforeEach(async () => {
    workflows = new Map();
    [asked, cancelled, started, reports] = [[], [], [], []];
    await collections.runs.deleteMany({});
  });

  /** A pass over a real database, with the map as Temporal. `some` overrides dependencies. */
  async function reconcile(some: Partial<ReconcileDeps> = {}): Promise<ReconcileResult & { heartbeats: number }> {
    const { runs } = collections;
    const { reconcileOpenRuns } = createReconcileActivities({
      clock,
      openRuns: createOpenRunStore(collections),
      async openWorkflows(onPage) {
        onPage();
        return new Set([...workflows].filter(([, { status }]) => status === 'RUNNING').map(([id]) => id));
      },
      async workflowState(runId) {
        asked.push(runId);
        return workflows.get(runId);
      },
      childrenOf: async (suiteRunId) =>
        new Set(await runs.distinct('_id', { suiteRunId, _id: { $in: [...workflows.keys()] } })),
      cancel: async (runId) => void cancelled.push(runId),
      async start({ _id }) {
        started.push(_id);
        workflows.set(_id, { status: 'RUNNING' });
      },
      pending: createPendingStarts(collections, clock),
      statuses: createRunStatusStore(runs),
      countTests: (suiteRunId) => countTestRuns(runs, suiteRunId),
      skipWaiting: (suiteRunId, except) => skipWaiting(runs, suiteRunId, except),
      recountSuites: (endedSince) => recountSuites(collections, endedSince),
      startDeadlineMs: HOUR_MS,
      lostAfterMs: LOST_MS,
      checkTemporal: async () => {},
      report: async (pass) => void reports.push(pass),
      log: () => {},
      ...some,
    });
    const environment = activityEnvironment();
    let heartbeats = 0;
    environment.on('heartbeat', () => heartbeats++);
    const result = (await environment.run(reconcileOpenRuns)) as ReconcileResult;
    return { ...result, heartbeats };
  }

  async function onRecord<R extends Run>(run: R, workflow?: string | WorkflowState): Promise<R> {
    await collections.runs.insertOne(run);
    if (workflow) workflows.set(run._id, typeof workflow === 'string' ? { status: workflow } : workflow);
    return run;
  }
  const still = { queuedAt: A_MINUTE_AGO, modified: A_MINUTE_AGO };
  const running = (some: Partial<TestRun> = {}) =>
    aTestRun({ ...still, status: 'running', startedAt: A_MINUTE_AGO, attempt: 1, ...some });
  const runningSuite = (some: Partial<SuiteRun> = {}) =>
    aSuiteRun({ ...still, status: 'running', startedAt: A_MINUTE_AGO, ...some });
  const queued = (some: Partial<TestRun> = {}) => aTestRun({ ...still, ...some });
  const ends = async (...runs: Run[]) =>
    Promise.all(
      runs.map(async ({ _id }) => {
        const { status, errorCode } = (await collections.runs.findOne({ _id }))!;
        return errorCode ? `${status} ${errorCode}` : status;
      }),
    );
  const recordOf = async ({ _id }: Run) => (await collections.runs.findOne({ _id }))!;

  it('describes no run whose workflow is listed as open', async () => {
    const runs = [await onRecord(running(), 'RUNNING'), await onRecord(queued(), 'RUNNING')];
    const { mended, heartbeats } = await reconcile();
    expect(mended).to.deep.equal({});
    expect(heartbeats).to.be.greaterThan(0);
    expect(asked).to.deep.equal([]);
    expect(await ends(...runs)).to.deep.equal(['running', 'queued']);
  });

  it('leaves open workflows alone although the list is outdated', async () => {
    const runs = [await onRecord(running(), 'RUNNING'), await onRecord(running(), 'PAUSED')];
    const { mended } = await reconcile({ openWorkflows: async () => new Set() });
    expect(mended).to.deep.equal({});
    expect(asked).to.have.members(runs.map(({ _id }) => _id));
    expect(await ends(...runs)).to.deep.equal(['running', 'running']);
  });

  it('ends runs without an open workflow as their workflows ended', async () => {
    const runs = [
      await onRecord(running(), 'TERMINATED'),
      await onRecord(running({ status: 'auto_retrying' }), 'CANCELLED'),
      await onRecord(running(), 'FAILED'),
      await onRecord(running(), 'TIMED_OUT'),
      await onRecord(running(lost)),
      await onRecord(runningSuite(lost)),
    ];
    const { mended, failed } = await reconcile();
    expect(failed).to.equal(0);
    expect(mended).to.deep.equal({ stopped: 2, workflow_failed: 2, workflow_lost: 2 });
    expect(reports).to.have.length(1);
    expect(reports[0]).to.deep.include({ counts: mended, succeeded: true });
    expect(await ends(...runs)).to.deep.equal([
      'stopped',
      'stopped',
      'error INTERNAL',
      'error INTERNAL',
      'error WORKFLOW_LOST',
      'error WORKFLOW_LOST',
    ]);
  });

  describe('runs whose workflow is missing in Temporal', () => {
    const missedFor = (run: Run, ms: number) =>
      collections.runs.updateOne({ _id: run._id }, [{ $set: { missingSince: { $subtract: ['$$NOW', ms] } } }]);

    it('are lost only after the configured time, by the database’s clock', async () => {
      const runs = [await onRecord(running()), await onRecord(runningSuite({ counts: statusCounts() }))];
      expect((await reconcile()).mended).to.deep.equal({});
      const noted = await Promise.all(runs.map(recordOf));
      for (const { missingSince } of noted) expect(missingSince).to.be.a('date');
      expect((await reconcile()).mended).to.deep.equal({});
      expect(await ends(...runs)).to.deep.equal(['running', 'running']);
      expect((await recordOf(runs[0]!)).missingSince, 'the first time counts').to.deep.equal(noted[0]!.missingSince);
      expect((await recordOf(runs[0]!)).modified).to.deep.equal(A_MINUTE_AGO);

      for (const run of runs) await missedFor(run, LOST_MS - 60_000);
      expect((await reconcile()).mended).to.deep.equal({});
      for (const run of runs) await missedFor(run, LOST_MS + 1);
      expect((await reconcile()).mended).to.deep.equal({ workflow_lost: 2 });
    });

    it('are not lost once the workflow is found again, listed or not', async () => {
      const runs = [await onRecord(running()), await onRecord(running())];
      await reconcile();
      for (const { _id } of runs) workflows.set(_id, { status: 'RUNNING' });
      await reconcile({ openWorkflows: async () => new Set([runs[0]!._id]) });
      for (const run of runs) expect((await recordOf(run)).missingSince).to.equal(undefined);
      workflows.clear();
      await reconcile();
      expect(await ends(...runs), 'missed for the first time again').to.deep.equal(['running', 'running']);
    });

    it('keep their suite open, which has otherwise ended, until they are lost', async () => {
      const suite = await onRecord(runningSuite(), 'TERMINATED');
      const test = await onRecord(running({ suiteRunId: suite._id, position: 0 }));
      expect(await reconcile()).to.deep.include({ mended: { recounted: 1 }, failed: 0 });
      expect(await ends(suite, test)).to.deep.equal(['running', 'running']);
      await missedFor(test, LOST_MS + 1);
      await reconcile();
      expect(await ends(suite, test)).to.deep.equal(['error', 'error WORKFLOW_LOST']);
    });
  });

  describe('while visibility is down', () => {
    const openWorkflows = () => Promise.reject(new Error('visibility is down'));
    const longAgo = { modified: new Date(Date.now() - 600_000) };

    it('starts overdue runs, describes each run that has not changed, and corrects counts', async () => {
      const overdue = await onRecord(queued({ dispatch: { after: A_MINUTE_AGO, attempts: 0 } }));
      await collections.runs.updateOne({ _id: overdue._id }, { $set: { 'dispatch.after': new Date(0) } });
      const ended = await onRecord(running(longAgo), 'TERMINATED');
      const recent = await onRecord(running(), 'TERMINATED');
      const open = await onRecord(running(longAgo), 'RUNNING');
      await onRecord(runningSuite({ status: 'passed', modified: new Date() }));
      const { mended, failed } = await reconcile({ openWorkflows });
      expect({ mended, failed }).to.deep.equal({ mended: { started: 1, stopped: 1, recounted: 1 }, failed: 1 });
      expect(reports[0]!.succeeded).to.equal(false);
      expect(started).to.deep.equal([overdue._id]);
      expect(await ends(ended, recent, open)).to.deep.equal(['stopped', 'running', 'running']);
    });

    it('starts overdue runs before it queries visibility', async () => {
      await onRecord(queued({ dispatch: { after: new Date(0), attempts: 0 } }));
      let startedBefore: number | undefined;
      await reconcile({
        async openWorkflows() {
          startedBefore = started.length;
          return new Set();
        },
      });
      expect(startedBefore).to.equal(1);
    });
  });

  it('does nothing with a Temporal that the database is not bound to', async () => {
    const run = await onRecord(running(lost));
    const checkTemporal = () => Promise.reject(new Error('another Temporal'));
    const error = await reconcile({ checkTemporal }).catch((error: unknown) => error);
    expect((error as Error).message).to.equal('another Temporal');
    expect(asked).to.deep.equal([]);
    expect(await ends(run)).to.deep.equal(['running']);
  });

  it('takes the verdict of a completed workflow after the database was restored from a backup', async () => {
    const runs = [
      await onRecord(running({ attempts: [attempt] }), completed('failed')),
      await onRecord(queued(), completed('passed')),
      await onRecord(runningSuite(), completed('passed')),
      await onRecord(running(), completed('error')),
      await onRecord(running(), completed('auto_retrying')),
    ];
    expect((await reconcile()).mended).to.deep.equal({ completed: 4, workflow_failed: 1 });
    expect(await ends(...runs)).to.deep.equal(['failed', 'passed', 'passed', 'error INTERNAL', 'error INTERNAL']);
    const first = (await recordOf(runs[0]!)) as TestRun;
    expect(first.attempts).to.have.length(1);
    expect(first.attempts[0]!.verdict!.status).to.equal('failed');
  });

  it('ignores the verdict of an earlier workflow run with the same id', async () => {
    const closedAt = new Date(A_MINUTE_AGO.getTime() - HOUR_MS);
    const run = await onRecord(queued(), { ...completed('passed'), closedAt });
    expect((await reconcile()).mended).to.deep.equal({ not_started: 1 });
    expect(await ends(run)).to.deep.equal(['error NOT_STARTED']);
  });

  it('requeues runs that never started, unless they are past their deadline', async () => {
    const longAgo = new Date(Date.now() - 2 * HOUR_MS);
    const test = await onRecord(queued());
    const suite = await onRecord(aSuiteRun(still));
    const late = await onRecord(queued({ queuedAt: longAgo }));
    expect((await reconcile()).mended).to.deep.equal({ restarted: 2, not_started: 1 });
    expect(await ends(test, suite, late)).to.deep.equal(['queued', 'queued', 'error NOT_STARTED']);
    for (const run of [test, suite]) expect((await recordOf(run)).dispatch!.after.getTime()).to.be.at.most(Date.now());
    asked = [];
    expect((await reconcile()).mended, 'they wait for their start now').to.deep.equal({});
    expect(asked).to.deep.equal([]);
  });

  it('does not describe runs that changed recently, are pending, or are over', async () => {
    await onRecord(running({ modified: new Date() }));
    await onRecord(queued({ dispatch: { after: new Date(), attempts: 3 } }));
    await onRecord(running({ status: 'passed' }));
    expect((await reconcile()).mended).to.deep.equal({});
    expect(asked).to.deep.equal([]);
  });

  it('continues after a run that cannot be described, and reports it', async () => {
    const [bad, good] = [await onRecord(running(), 'TERMINATED'), await onRecord(running(), 'TERMINATED')];
    const { mended, failed } = await reconcile({
      async workflowState(runId) {
        if (runId === bad._id) throw new Error('Temporal is slow');
        return { status: 'TERMINATED' };
      },
    });
    expect({ mended, failed }).to.deep.equal({ mended: { stopped: 1 }, failed: 1 });
    expect(reports[0]!.succeeded).to.equal(false);
    expect(await ends(bad, good)).to.deep.equal(['running', 'stopped']);
  });

  it('does not count runs that ended by themselves meanwhile', async () => {
    const run = await onRecord(running(lost));
    const { mended } = await reconcile({
      async workflowState() {
        await createRunStatusStore(collections.runs).endRun(run._id, { status: 'passed' });
        return undefined;
      },
    });
    expect(mended).to.deep.equal({});
    expect(await ends(run)).to.deep.equal(['passed']);
  });

  it('reads several pages of runs', async () => {
    const many = Array.from({ length: 5100 }, () => running(lost));
    await collections.runs.insertMany(many);
    expect((await reconcile()).mended).to.deep.equal({ workflow_lost: 5100 });
  }).timeout(60_000);

  describe('pending runs that no server starts', () => {
    const waiting = (ageMs: number, some: Partial<TestRun> = {}) =>
      queued({ dispatch: { after: new Date(Date.now() - ageMs), attempts: 0 }, ...some });

    it('are started when overdue for a minute', async () => {
      const [overdue, due] = [await onRecord(waiting(61_000)), await onRecord(waiting(30_000))];
      expect((await reconcile()).mended).to.deep.equal({ started: 1 });
      expect(started).to.deep.equal([overdue._id]);
      expect((await recordOf(overdue)).dispatch).to.equal(undefined);
      expect((await recordOf(due)).dispatch).not.to.equal(undefined);
    });

    it('stay pending when Temporal rejects them, and end past their deadline', async () => {
      const refused = await onRecord(waiting(61_000));
      const late = await onRecord(waiting(61_000, { queuedAt: new Date(Date.now() - 2 * HOUR_MS) }));
      const start = async () => {
        throw new Error('refused');
      };
      const { mended, failed } = await reconcile({ start });
      expect({ mended, failed }).to.deep.equal({ mended: { not_started: 1 }, failed: 1 });
      expect((await recordOf(refused)).dispatch!.attempts).to.equal(1);
      expect(await ends(refused, late)).to.deep.equal(['queued', 'error NOT_STARTED']);
    });
  });

  describe('suites', () => {
    it('leaves tests that wait for their turn or for the next pass to an open suite', async () => {
      const suite = await onRecord(runningSuite(), 'RUNNING');
      const of = (position: number) => ({ suiteRunId: suite._id, position });
      const tests = [
        await onRecord(queued(of(0))),
        await onRecord(running({ status: 'auto_retrying', ...of(1) }), completed('auto_retrying')),
        await onRecord(running({ status: 'auto_retrying', ...of(2) })),
        await onRecord(running({ status: 'auto_retrying', ...of(3) }), 'TERMINATED'),
      ];
      const { mended } = await reconcile();
      expect(mended).to.deep.equal({ stopped: 1, recounted: 1 });
      expect(await ends(...tests)).to.deep.equal(['queued', 'auto_retrying', 'auto_retrying', 'stopped']);
      expect(asked).not.to.include(tests[0]!._id);
    });

    const endings = [
      ['TERMINATED', 'stopped'],
      ['FAILED', 'error INTERNAL'],
      [undefined, 'error WORKFLOW_LOST'],
    ] as const;
    for (const [workflow, end] of endings)
      it(`ends one whose workflow is ${workflow ?? 'unknown'} with all its tests, running ones by a cancellation`, async () => {
        const suite = await onRecord(runningSuite(workflow ? {} : lost), workflow);
        const of = (position: number) => ({ suiteRunId: suite._id, position });
        const inFlight = await onRecord(running(of(0)), 'RUNNING');
        const noRunner = await onRecord(queued(of(1)), 'RUNNING');
        const done = await onRecord(running(of(2)), completed('passed'));
        const waiting = await onRecord(queued(of(3)));
        const attempts = [{ ...attempt, endedAt: A_MINUTE_AGO, verdict: { status: 'failed' as const } }];
        const between = { status: 'auto_retrying' as const, attempts };
        const betweenPasses = await onRecord(running({ ...between, ...of(4) }), completed('auto_retrying'));
        await reconcile();
        expect(cancelled).to.have.members([inFlight._id, noRunner._id]);
        expect(await ends(suite, inFlight, noRunner, done, waiting, betweenPasses)).to.deep.equal([
          // As a stop of the suite would end it: a test has failed.
          end === 'stopped' ? 'failed' : end,
          'stopped',
          'skipped',
          'passed',
          'skipped',
          'failed',
        ]);
        const { counts } = (await recordOf(suite)) as SuiteRun;
        expect(counts).to.deep.equal(statusCounts({ stopped: 1, skipped: 2, passed: 1, failed: 1 }));
        asked = [];
        expect((await reconcile()).mended).to.deep.equal({});
        expect(asked).to.deep.equal([]);
      });

    it('leaves a suite open while one of its tests cannot be canceled', async () => {
      const suite = await onRecord(runningSuite(), 'TERMINATED');
      const test = await onRecord(running({ suiteRunId: suite._id, position: 0 }), 'RUNNING');
      const cancel = async () => {
        throw new Error('Temporal is slow');
      };
      expect((await reconcile({ cancel })).failed).to.be.greaterThan(0);
      expect(await ends(suite, test)).to.deep.equal(['running', 'running']);
      expect(await reconcile()).to.deep.include({ failed: 0, mended: { stopped: 2 } });
      expect(await ends(suite, test)).to.deep.equal(['stopped', 'stopped']);
    });

    it('ends open tests of a suite that is over or deleted', async () => {
      const over = await onRecord(runningSuite({ status: 'stopped' }));
      const tests = [
        await onRecord(queued({ suiteRunId: over._id, position: 0 })),
        await onRecord(running({ suiteRunId: over._id, position: 1 }), 'RUNNING'),
        await onRecord(queued({ suiteRunId: aSuiteRun()._id, position: 0 })),
      ];
      expect((await reconcile()).mended).to.deep.include({ skipped: 2, stopped: 1 });
      expect(await ends(...tests)).to.deep.equal(['skipped', 'stopped', 'skipped']);
      expect(cancelled).to.deep.equal([tests[1]!._id]);
    });

    it('corrects the counts of running and recently ended suites, and writes nothing if they are correct', async () => {
      const counts = statusCounts({ passed: 1, queued: 1 });
      const suites = [
        await onRecord(runningSuite(), 'RUNNING'),
        await onRecord(runningSuite({ counts }), 'RUNNING'),
        await onRecord(runningSuite({ status: 'passed', counts: statusCounts({ running: 1 }) })),
        await onRecord(runningSuite({ status: 'passed', modified: new Date(Date.now() - 2 * HOUR_MS) })),
      ];
      for (const { _id: suiteRunId } of suites.slice(0, 2)) {
        await onRecord(running({ status: 'passed', suiteRunId, position: 0 }));
        await onRecord(queued({ suiteRunId, position: 1 }));
      }
      expect((await reconcile()).mended).to.deep.equal({ recounted: 2 });
      const after = (await Promise.all(suites.map(recordOf))) as SuiteRun[];
      expect(after.map((suite) => suite.counts)).to.deep.equal([counts, counts, statusCounts(), undefined]);
      expect(after[0]!.modified.getTime()).to.be.greaterThan(A_MINUTE_AGO.getTime());
      expect(after[1]!.modified).to.deep.equal(A_MINUTE_AGO);
      expect((await reconcile()).mended).to.deep.equal({});
    });
  });
});
