import { expect } from 'chai';
import { pino } from 'pino';
import { TARGET_KINDS, type TargetKind } from '#src/domain/targets/target-kind.js';
import { workerConfig } from '#src/config.js';
import type { Collections } from '#src/db/schema/collections.js';
import { addToReport } from '#src/db/instance/maintenance.js';
import { randomId, runIdOfKey } from '#src/domain/ids.js';
import type { Schedule } from '#src/domain/schedules/schedule.js';
import { createScheduleContext } from '#src/contexts/schedule-context.js';
import { aSuiteDefinition, aTestDefinition, aTestRun } from '#test/builders/run.js';
import { aSchedule } from '#test/builders/schedule.js';
import { DATABASE_TIMEOUT_MS, testDatabase } from '#test/support/database.js';
import { withClockAhead } from '#test/support/with-clock-ahead.js';

/** The last full minute. */
const minute = () => new Date(Math.floor(Date.now() / 60_000) * 60_000);

describe('fireSchedule', () => {
  let collections: Collections;
  let context: ReturnType<typeof createScheduleContext>;
  let open: () => typeof context;
  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    const database = await testDatabase();
    collections = database.collections;
    const config = workerConfig(
      {
        MONGODB_URL: database.url,
        RUNHOOK_SECRET_KEYS: Buffer.alloc(32).toString('base64'),
        RUNHOOK_LIMIT_OPEN_RUNS: '2',
      },
      1,
    );
    open = () =>
      createScheduleContext(
        { collections, clock: database.clock, log: pino({ level: 'silent' }) },
        config,
        // The sweep starts the workflows.
        () => Promise.reject(new Error('Temporal is down')),
      );
    context = open();
  });
  after(() => context.close());

  /** A schedule of a test, every minute, in a project of its own. */
  async function given(some: Parameters<typeof aSchedule>[0] = {}, kind: TargetKind = 'test'): Promise<Schedule> {
    const [projectId, targetId] = [randomId(), randomId()];
    const about = { _id: targetId, projectId, name: 'Checkout works', revision: 1, modifiedAt: new Date() };
    await collections.projects.insertOne({
      _id: projectId,
      name: 'Shop',
      slug: projectId,
      createdAt: new Date(),
      revision: 1,
    });
    if (kind === 'test') await collections.tests.insertOne({ ...about, definition: aTestDefinition() });
    else await collections.suites.insertOne({ ...about, definition: aSuiteDefinition() });
    const starts = kind === 'test' ? { testId: targetId } : { suiteId: targetId };
    const schedule = aSchedule({
      projectId,
      ...some,
      definition: { cron: '* * * * *', ...starts, ...some.definition },
    });
    await collections.schedules.insertOne(schedule);
    return schedule;
  }

  const fire = ({ _id }: Schedule, at = minute()) =>
    context.activities.fireSchedule({ scheduleId: _id, at: at.toISOString() });
  const runsOf = ({ projectId }: Schedule) => collections.runs.find({ projectId }).toArray();
  const lastFired = async ({ _id }: Schedule) => (await collections.schedules.findOne({ _id }))?.lastFired;

  for (const kind of TARGET_KINDS)
    it(`starts one run of its ${kind} for several deliveries`, async () => {
      const schedule = await given({}, kind);
      const at = minute();
      const { runId } = await fire(schedule, at);
      await Promise.all([fire(schedule, at), fire(schedule, at)]);
      const [run, ...others] = await runsOf(schedule);
      expect(others).to.deep.equal([]);
      expect(run).to.deep.include({ _id: runId, kind, status: 'queued' });
      expect(run!.triggeredBy).to.deep.equal({ type: 'schedule', name: 'Nightly' });
      expect(run!.dispatch, 'whatever becomes of its start here, a sweep makes it').to.have.property('after');
      expect(await lastFired(schedule)).to.deep.equal({ at, runId });
    });

  describe("when a client's Idempotency-Key equals its own", () => {
    const keyOf = ({ _id }: Schedule, at: Date) => `schedule ${_id} ${at.toISOString()}`;
    /** Creates a run like an API call with the key. */
    const madeWithKey = async (schedule: Schedule, at: Date, some: { creation?: string } = {}) => {
      const { projectId } = schedule;
      const run = aTestRun({ _id: runIdOfKey(projectId, keyOf(schedule, at)), projectId, ...some });
      await collections.runs.insertOne(run);
      return run;
    };

    it('starts its run nevertheless', async () => {
      const schedule = await given();
      const byCaller = await madeWithKey(schedule, minute());
      const { runId, refusedBecause } = await fire(schedule);
      expect(refusedBecause).to.equal(undefined);
      expect(runId).to.be.a('string').and.not.equal(byCaller._id);
      expect(await runsOf(schedule)).to.have.length(2);
    });

    it('does not start a second run if an earlier version started it before an upgrade', async () => {
      const schedule = await given();
      const at = minute();
      const before = await madeWithKey(schedule, at, { creation: keyOf(schedule, at) });
      expect(await fire(schedule, at)).to.deep.equal({ runId: before._id });
      expect(await runsOf(schedule)).to.have.length(1);
    });
  });

  it("returns the same run when delivered again after the schedule's target changed", async () => {
    const schedule = await given();
    const at = minute();
    const { runId } = await fire(schedule, at);
    const suite = {
      _id: randomId(),
      projectId: schedule.projectId,
      name: 'Smoke',
      revision: 1,
      modifiedAt: new Date(),
    };
    await collections.suites.insertOne({ ...suite, definition: aSuiteDefinition() });
    await collections.schedules.updateOne(
      { _id: schedule._id },
      { $set: { 'definition.suiteId': suite._id }, $unset: { 'definition.testId': '' } },
    );
    expect(await fire(schedule, at)).to.deep.equal({ runId });
    expect(await runsOf(schedule)).to.have.length(1);
  });

  it('starts a run for each time, and records the last one', async () => {
    const schedule = await given();
    const later = minute();
    const earlier = new Date(later.getTime() - 60_000);
    await fire(schedule, later);
    await fire(schedule, earlier);
    expect(await runsOf(schedule)).to.have.length(2);
    expect((await lastFired(schedule))?.at).to.deep.equal(later);
  });

  it('reports that the project has too many open runs', async () => {
    const schedule = await given();
    for (const minutes of [3, 2]) await fire(schedule, new Date(minute().getTime() - minutes * 60_000));
    const { refusedBecause } = await fire(schedule);
    expect(refusedBecause).to.match(/limit of 2 open runs/);
    expect(await lastFired(schedule)).to.deep.include({ refusedBecause });
    const reported = await collections.maintenance.findOne({ _id: 'schedules' });
    expect(reported!.counts.refused).to.be.greaterThan(0);
  });

  it('reports that its test was removed', async () => {
    const schedule = await given();
    await collections.tests.updateOne({ projectId: schedule.projectId }, { $set: { archivedAt: new Date() } });
    expect(await fire(schedule)).to.deep.equal({ refusedBecause: 'The test was removed.' });
  });

  it('reports that its variable set was deleted', async () => {
    const schedule = await given({ definition: { runProfileId: randomId() } });
    expect((await fire(schedule)).refusedBecause).to.match(/variable set of the schedule was deleted/);
  });

  it('is skipped if no worker was available for longer than the catch-up window', async () => {
    const schedule = await given({ definition: { catchUpMs: 600_000 } });
    const at = new Date(minute().getTime() - 13 * 60_000);
    expect((await fire(schedule, at)).refusedBecause).to.match(/No worker was available/);
    expect(await runsOf(schedule)).to.deep.equal([]);
  });

  it('is not skipped because the worker’s clock is ahead', async () => {
    const schedule = await given({ definition: { catchUpMs: 600_000 } });
    const at = minute();
    const delivered = { scheduleId: schedule._id, at: at.toISOString() };
    await withClockAhead(3_600_000, async () => {
      const ahead = open();
      await ahead.activities.fireSchedule(delivered).finally(() => ahead.close());
    });
    expect(await runsOf(schedule)).to.have.length(1);
  });

  const UNTOLD: Record<string, (schedule: Schedule) => Promise<unknown>> = {
    'it is paused': ({ _id }) => collections.schedules.updateOne({ _id }, { $set: { 'definition.paused': true } }),
    'it was removed': ({ _id }) => collections.schedules.updateOne({ _id }, { $set: { archivedAt: new Date() } }),
    'the time is not its own any more': ({ _id }) =>
      collections.schedules.updateOne({ _id }, { $set: { 'definition.cron': '0 0 1 1 *' } }),
    'its project was removed': ({ projectId }) =>
      collections.projects.updateOne({ _id: projectId }, { $set: { archivedAt: new Date() } }),
  };
  for (const [what, change] of Object.entries(UNTOLD))
    it(`does nothing when ${what} and Temporal has not been updated yet`, async () => {
      const schedule = await given();
      await change(schedule);
      expect(await fire(schedule)).to.deep.equal({});
      expect(await runsOf(schedule)).to.deep.equal([]);
      expect(await lastFired(schedule)).to.equal(undefined);
    });

  it('is counted once', async () => {
    const pass = { pass: randomId(), counts: { fired: 1 }, succeeded: true };
    const fired = async () => (await collections.maintenance.findOne({ _id: 'schedules' }))?.counts.fired ?? 0;
    const before = await fired();
    await addToReport(collections, 'schedules', pass);
    await addToReport(collections, 'schedules', pass);
    expect(await fired()).to.equal(before + 1);
  });
});
