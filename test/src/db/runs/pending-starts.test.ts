import { expect } from 'chai';
import type { Collections } from '#src/db/schema/collections.js';
import { createPendingStarts, type PendingStarts } from '#src/db/runs/pending-starts.js';
import { createRunStatusStore } from '#src/db/runs/run-status-store.js';
import type { Clock } from '#src/domain/clock.js';
import type { TestRun } from '#src/domain/runs/run.js';
import { createLogger } from '#src/lib/logger.js';
import { startDispatcher } from '#src/services/trigger/dispatcher.js';
import { aTestRun } from '#test/builders/run.js';
import { DATABASE_TIMEOUT_MS, testDatabase } from '#test/support/database.js';
import { eventually } from '#test/support/eventually.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DEADLINE = { deadlineMs: HOUR_MS };

describe('pending starts', () => {
  let collections: Collections;
  let clock: Clock;
  let pending: PendingStarts;
  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    ({ collections, clock } = await testDatabase());
    pending = createPendingStarts(collections, clock);
  });
  beforeEach(() => collections.runs.deleteMany({}));

  const from = (ms: number) => new Date(clock.now().getTime() + ms);
  /** A run accepted `agoMs` ago and leased for `leasedForMs` (negative: overdue). */
  const accepted = (agoMs: number, leasedForMs: number, some: Partial<TestRun> = {}) =>
    aTestRun({ queuedAt: from(-agoMs), dispatch: { after: from(leasedForMs), attempts: 0 }, ...some });
  const onRecord = async (...runs: TestRun[]) => void (await collections.runs.insertMany(runs));
  const recordOf = async ({ _id }: { _id: string }) => (await collections.runs.findOne({ _id }))!;
  const late = (some: Partial<TestRun> = {}) => accepted(2 * HOUR_MS, -MINUTE_MS, some);

  describe('claim', () => {
    it('leases due runs once', async () => {
      const [due, leased] = [accepted(MINUTE_MS, -1000), accepted(MINUTE_MS, MINUTE_MS)];
      await onRecord(due, leased);
      const before = clock.now().getTime();
      expect((await pending.claim(10, 10_000, DEADLINE)).map(({ _id }) => _id)).to.deep.equal([due._id]);
      expect((await recordOf(due)).dispatch!.after.getTime()).to.be.at.least(before + 10_000 - 1000);
      expect(await pending.claim(10, 10_000, DEADLINE)).to.deep.equal([]);
    });

    it('leaves out runs past their deadline', async () => {
      const [old, young] = [late(), accepted(MINUTE_MS, -1000)];
      await onRecord(old, young);
      expect((await pending.claim(10, 10_000, DEADLINE)).map(({ _id }) => _id)).to.deep.equal([young._id]);
    });

    it('takes turns among projects', async () => {
      const projects = ['a', 'b', 'c'].map((projectId) => accepted(MINUTE_MS, -1000, { projectId }));
      await onRecord(...projects);
      const first = new Set<string>();
      await eventually(async () => {
        const [run] = await pending.claim(1, 10_000, DEADLINE);
        first.add(run!.projectId);
        await pending.release([run!._id], 0, true);
        return first.size === 3 || undefined;
      });
    });
  });

  it('extends the lease of a pending run, and creates none for a started run', async () => {
    const [held, started] = [accepted(MINUTE_MS, 1000), aTestRun()];
    await onRecord(held, started);
    await pending.renew([held._id, started._id], MINUTE_MS);
    expect((await recordOf(held)).dispatch!.after).to.be.greaterThan(from(MINUTE_MS / 2));
    expect((await recordOf(started)).dispatch).to.equal(undefined);
  });

  it('releases a run for later, and counts the failed start', async () => {
    const run = accepted(MINUTE_MS, -1000);
    await onRecord(run);
    await pending.release([run._id], MINUTE_MS, true);
    const { dispatch } = await recordOf(run);
    expect(dispatch!.attempts).to.equal(1);
    expect(dispatch!.after).to.be.greaterThan(from(MINUTE_MS / 2));
  });

  describe('give up', () => {
    it('ends runs past their deadline', async () => {
      const [old, young] = [late(), accepted(MINUTE_MS, -1000)];
      await onRecord(old, young);
      expect(await pending.giveUp(HOUR_MS)).to.equal(1);
      const ended = await recordOf(old);
      expect(ended).to.include({ status: 'error', errorCode: 'NOT_STARTED' });
      expect([ended.dispatch, ended.endedAt instanceof Date]).to.deep.equal([undefined, true]);
      expect((await recordOf(young)).status).to.equal('queued');
    });

    it('leaves out leased runs, whose start may be in flight', async () => {
      const leased = accepted(2 * HOUR_MS, MINUTE_MS);
      await onRecord(leased);
      expect(await pending.giveUp(HOUR_MS)).to.equal(0);
      expect((await recordOf(leased)).status).to.equal('queued');
    });

    it('goes by the database’s clock, not the process’s', async () => {
      const run = accepted(MINUTE_MS, -1000);
      await onRecord(run);
      const ahead = createPendingStarts(collections, { now: () => from(24 * HOUR_MS) });
      expect(await ahead.giveUp(HOUR_MS)).to.equal(0);
      expect((await recordOf(run)).status).to.equal('queued');
    });

    it('never ends a run that begins at the same time', async () => {
      const all = Array.from({ length: 1000 }, () => late());
      await onRecord(...all);
      const statuses = createRunStatusStore(collections.runs);
      const begun: string[] = [];
      const begin = async () => {
        for (const { _id } of all.slice(-100).reverse())
          if ((await statuses.beginAttempt(_id, { attempt: 1 }, 'worker')).done) begun.push(_id);
      };
      const [givenUp] = await Promise.all([pending.giveUp(HOUR_MS), begin()]);
      expect(givenUp).to.equal(1000 - begun.length);
      expect(await collections.runs.countDocuments({ _id: { $in: begun }, status: 'running' })).to.equal(begun.length);
    });
  });

  it('never both starts and gives up a run, with a backlog that outlasts the deadline', async () => {
    const deadlineMs = 2000;
    const runs = Array.from({ length: 900 }, () => accepted(0, -1000));
    await onRecord(...runs);
    const started = new Set<string>();
    const dispatcher = startDispatcher({
      pending,
      start: async ({ _id }) => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        started.add(_id);
      },
      engineTroubleOf: () => undefined,
      log: createLogger('test', 'silent'),
      inFlight: 4,
      maxPending: 10_000,
      startDeadlineMs: deadlineMs,
    });
    try {
      await eventually(
        async () => (await collections.runs.countDocuments({ dispatch: { $exists: true } })) === 0 || undefined,
        60_000,
      );
    } finally {
      await dispatcher.stop();
    }
    const givenUp = await collections.runs.distinct('_id', { errorCode: 'NOT_STARTED' });
    expect(givenUp.filter((id) => started.has(id))).to.deep.equal([]);
    expect(started.size + givenUp.length).to.equal(runs.length);
  }).timeout(90_000);
});
