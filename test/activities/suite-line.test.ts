import { expect } from 'chai';
import { createSuiteLineActivities } from '#activities/suite-line.js';
import type { Collections } from '#src/db/schema/collections.js';
import { setUpDatabase } from '#src/db/schema/set-up.js';
import { createSuiteLineStore } from '#src/db/suite-runs/suite-line-store.js';
import { createSuiteRunStore } from '#src/db/suite-runs/suite-run-store.js';
import { randomId } from '#src/domain/ids.js';
import type { SuiteRun } from '#src/domain/runs/run.js';
import type { Arrival } from '#workflows/messages.js';
import { aSuiteDefinition, aSuiteRun } from '#test/builders/run.js';
import { activityEnvironment } from './activity-environment.js';
import { DATABASE_TIMEOUT_MS, testDatabase } from '#test/support/database.js';

describe('createSuiteLineActivities', () => {
  let collections: Collections;
  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    ({ collections } = await testDatabase());
    await setUpDatabase(collections);
  });

  /** Runs of one suite, a millisecond apart, with these statuses. */
  async function runsOf(statuses: SuiteRun['status'][], overlap: 'queue' | 'allow' = 'queue'): Promise<SuiteRun[]> {
    const targetId = randomId();
    const runs = statuses.map((status, index) =>
      aSuiteRun({
        targetId,
        status,
        queuedAt: new Date(1_700_000_000_000 + index),
        definition: aSuiteDefinition({ overlap }),
      }),
    );
    await collections.runs.insertMany(runs);
    return runs;
  }

  async function joinLine({ _id }: SuiteRun) {
    const sent: { queue: string; suiteId: string; arrival: Arrival }[] = [];
    const { joinLine } = createSuiteLineActivities({
      find: createSuiteRunStore(collections).find,
      ...createSuiteLineStore(collections),
      signalSuiteLine: async (queue, suiteId, arrival) => void sent.push({ queue, suiteId, arrival }),
    });
    await activityEnvironment().run(joinLine, { runId: _id });
    return sent;
  }

  it('sends the line its open earlier runs, nearest first', async () => {
    const [first, , third, fourth] = await runsOf(['running', 'passed', 'queued', 'queued', 'queued']);
    expect(await joinLine(fourth!)).to.deep.equal([
      {
        // The activity's queue, which is the suite run's.
        queue: 'test',
        suiteId: fourth!.targetId,
        arrival: {
          runId: fourth!._id,
          queuedAt: 1_700_000_000_003,
          overlap: 'queue',
          earlier: [
            { runId: third!._id, queuedAt: 1_700_000_000_002 },
            { runId: first!._id, queuedAt: 1_700_000_000_000 },
          ],
        },
      },
    ]);
    const noted = await collections.runs.findOne({ _id: fourth!._id });
    expect(noted!.reason).to.include(third!._id);
    expect(noted!.modified.getTime()).to.be.greaterThan(fourth!.modified.getTime());
  });

  it('orders runs of the same moment consistently', async () => {
    const [one, two] = await runsOf(['queued', 'queued']);
    await collections.runs.updateMany({ targetId: one!.targetId }, { $set: { queuedAt: one!.queuedAt } });
    const earlier = async (run: SuiteRun) => (await joinLine(run))[0]!.arrival.earlier.map(({ runId }) => runId);
    expect([await earlier(one!), await earlier(two!)].flat()).to.deep.equal([[one!._id, two!._id].sort()[0]]);
  });

  it('sends nothing for a run that is over, or that may overlap', async () => {
    const [over] = await runsOf(['stopped']);
    const [free] = await runsOf(['queued'], 'allow');
    expect([await joinLine(over!), await joinLine(free!), await joinLine(aSuiteRun())]).to.deep.equal([[], [], []]);
  });

  it('finds them without reading any other run', async () => {
    const [run] = await runsOf(['queued', 'queued', 'passed']);
    await collections.runs.insertMany(Array.from({ length: 200 }, () => aSuiteRun({ status: 'queued' })));
    const { executionStats } = await collections.runs
      .find({ kind: 'suite', targetId: run!.targetId, status: { $in: ['queued', 'running'] } })
      .hint('listed_of_target')
      .explain('executionStats');
    expect(executionStats.totalDocsExamined).to.equal(2);
  });
});
