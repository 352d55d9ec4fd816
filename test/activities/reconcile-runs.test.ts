import { expect } from 'chai';
import { createReconcileActivities } from '../../activities/reconcile-runs.js';
import type { Collections } from '../../src/db/collections.js';
import { openRuns } from '../../src/db/open-runs.js';
import { createRunStatusStore } from '../../src/db/run-status.js';
import { createSuiteRunStore } from '../../src/db/suite-runs.js';
import { createSuiteActivities } from '../../activities/suite-expansion.js';
import type { Run, SuiteRun, TestRun } from '../../src/domain/run.js';
import { aSuiteRun, aTestRun } from '../builders/run.js';
import { DATABASE_TIMEOUT_MS, testDatabase } from '../support/database.js';
import { activityEnvironment } from './activity-environment.js';

/** Long enough for a run to have moved. */
const A_MINUTE_AGO = new Date(Date.now() - 60_000);

describe('reconcileOpenRuns', () => {
  let collections: Collections;
  /** As Temporal names them; of runs of this test only. */
  let workflows: Map<string, string | undefined>;
  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    ({ collections } = await testDatabase());
  });
  beforeEach(async () => {
    workflows = new Map();
    await collections.runs.deleteMany({});
  });

  async function reconcile(): Promise<{ mended: number; asked: string[]; heartbeats: number }> {
    const statuses = createRunStatusStore(collections.runs);
    const asked: string[] = [];
    const { reconcileOpenRuns } = createReconcileActivities({
      openRuns: (before) => openRuns(collections, before),
      async workflowStatus(runId) {
        asked.push(runId);
        return workflows.get(runId);
      },
      statuses,
      suites: createSuiteActivities({ suiteRuns: createSuiteRunStore(collections), statuses }),
    });
    const environment = activityEnvironment();
    let heartbeats = 0;
    environment.on('heartbeat', () => heartbeats++);
    const { mended } = (await environment.run(reconcileOpenRuns)) as { mended: number };
    return { mended, asked, heartbeats };
  }

  async function onRecord<R extends Run>(run: R, workflow?: string): Promise<R> {
    await collections.runs.insertOne(run);
    if (workflow) workflows.set(run._id, workflow);
    return run;
  }
  const running = (some: Partial<TestRun> = {}) =>
    aTestRun({ status: 'running', startedAt: A_MINUTE_AGO, modified: A_MINUTE_AGO, ...some });
  const runningSuite = (some: Partial<SuiteRun> = {}) =>
    aSuiteRun({ status: 'running', startedAt: A_MINUTE_AGO, modified: A_MINUTE_AGO, ...some });
  const ends = async (...runs: Run[]) =>
    Promise.all(
      runs.map(async ({ _id }) => {
        const { status, errorCode } = (await collections.runs.findOne({ _id }))!;
        return errorCode ? `${status} ${errorCode}` : status;
      }),
    );

  it('leaves alone what has an open workflow', async () => {
    const runs = [await onRecord(running(), 'RUNNING'), await onRecord(running(), 'PAUSED')];
    expect(await reconcile()).to.deep.include({ mended: 0, heartbeats: 2 });
    expect(await ends(...runs)).to.deep.equal(['running', 'running']);
  });

  it('ends what has none as its workflow ended', async () => {
    const runs = [
      await onRecord(running(), 'TERMINATED'),
      await onRecord(running({ status: 'auto_retrying' }), 'CANCELLED'),
      await onRecord(running(), 'FAILED'),
      await onRecord(running(), 'TIMED_OUT'),
      await onRecord(aTestRun({ modified: A_MINUTE_AGO })),
    ];
    expect((await reconcile()).mended).to.equal(5);
    expect(await ends(...runs)).to.deep.equal([
      'stopped',
      'stopped',
      'error INTERNAL',
      'error INTERNAL',
      'error WORKFLOW_LOST',
    ]);
  });

  it('asks about nothing that has moved of late, waits for its start, or is over', async () => {
    await onRecord(running({ modified: new Date() }));
    await onRecord(aTestRun({ modified: A_MINUTE_AGO, dispatch: { after: new Date(), attempts: 3 } }));
    await onRecord(running({ status: 'passed' }));
    expect(await reconcile()).to.deep.include({ mended: 0, asked: [] });
  });

  it('leaves a suite’s waiting tests to their suite', async () => {
    const suite = await onRecord(runningSuite(), 'RUNNING');
    const test = await onRecord(aTestRun({ modified: A_MINUTE_AGO, suiteRunId: suite._id, position: 0 }));
    expect((await reconcile()).asked).to.deep.equal([suite._id]);
    expect(await ends(test)).to.deep.equal(['queued']);
  });

  const suites = [
    ['TERMINATED', 'stopped'],
    ['FAILED', 'error INTERNAL'],
    [undefined, 'error WORKFLOW_LOST'],
  ] as const;
  for (const [workflow, end] of suites)
    it(`ends a suite whose workflow is ${workflow ?? 'unknown'} with all its tests`, async () => {
      const suite = await onRecord(runningSuite(), workflow);
      const begun = await onRecord(running({ suiteRunId: suite._id, position: 0 }), workflow);
      const waiting = await onRecord(aTestRun({ modified: A_MINUTE_AGO, suiteRunId: suite._id, position: 1 }));
      await reconcile();
      expect(await ends(suite, waiting)).to.deep.equal([end, 'skipped']);
      expect((await ends(begun))[0]).not.to.equal('running');
      expect((await reconcile()).asked).to.deep.equal([]);
    });
});
