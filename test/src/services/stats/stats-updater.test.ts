import { expect } from 'chai';
import { pino } from 'pino';
import type { Collections } from '#src/db/schema/collections.js';
import { createEndedRunCounts, type EndedRunCounts } from '#src/db/stats/count-ended.js';
import { createLeaseStore } from '#src/db/instance/lease-store.js';
import { randomId } from '#src/domain/ids.js';
import { createStatsPass, startStatsUpdater } from '#src/services/stats/stats-updater.js';
import { aTestRun } from '#test/builders/run.js';
import { DATABASE_TIMEOUT_MS, testDatabase } from '#test/support/database.js';
import { eventually } from '#test/support/eventually.js';

const log = pino({ level: 'silent' });

describe('statistics updater', () => {
  let collections: Collections;
  /** The lease of one test, with its mark: later runs are counted. */
  let job: string;
  let mark: Date;

  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    ({ collections } = await testDatabase());
  });

  beforeEach(async () => {
    job = randomId();
    mark = new Date();
    await collections.leases.insertOne({ _id: job, holder: 'nobody', at: mark, until: mark, mark });
  });

  const leaseOf = (holder: string) => createLeaseStore(collections, job, holder);

  /** Number of queries for runs. */
  function counting() {
    const counts = createEndedRunCounts(collections);
    const seen = { queries: 0 };
    const watched: EndedRunCounts = {
      ...counts,
      endedAfter: (...of) => {
        seen.queries++;
        return counts.endedAfter(...of);
      },
    };
    return { counts: watched, seen };
  }

  const look = (holder: string, lateMs: number, counts = createEndedRunCounts(collections)) =>
    createStatsPass({ counts, lease: leaseOf(holder), log, lateMs });

  async function endedNow(targetId: string) {
    // The first run may end within the millisecond of the mark, which excludes it.
    const now = new Date(Math.max(Date.now(), mark.getTime() + 1));
    const run = aTestRun({ targetId, status: 'passed', startedAt: now, endedAt: now, modified: now });
    await collections.runs.insertOne(run);
    return run._id;
  }

  const recentOf = async (targetId: string) =>
    (await collections.targetStats.findOne({ _id: targetId }))?.recent.map(({ runId }) => runId);

  it('runs on one server at a time, and at once on another when that one stops', async () => {
    const [one, other] = [counting(), counting()];
    const first = look('one', 0, one.counts);
    const second = look('other', 0, other.counts);
    await first();
    await second();
    await first();
    expect([one.seen.queries, other.seen.queries]).to.deep.equal([2, 0]);
    await leaseOf('one').release();
    await second();
    expect(other.seen.queries).to.equal(1);
  });

  it('writes nothing while there is nothing to count', async () => {
    const looks = look('one', 0);
    await looks();
    const before = await collections.leases.findOne({ _id: job });
    await looks();
    expect(await collections.leases.findOne({ _id: job })).to.deep.equal(before);
  });

  it('continues from the mark of the previous holder', async () => {
    const target = randomId();
    const run = await endedNow(target);
    const first = look('one', -60_000);
    await first();
    expect(await recentOf(target)).to.deep.equal([run]);
    await leaseOf('one').release();
    const reached = (await collections.leases.findOne({ _id: job }))!.mark;
    const { counts } = counting();
    const asked: Date[] = [];
    await look('other', 0, {
      ...counts,
      endedAfter: (after, ...rest) => (asked.push(after), counts.endedAfter(after, ...rest)),
    })();
    expect(asked).to.deep.equal([reached]);
  });

  it('waits until no run can appear late', async () => {
    const target = randomId();
    await endedNow(target);
    await look('one', 60_000)();
    expect(await recentOf(target)).to.equal(undefined);
  });

  it('does not continue from its own mark after losing the lease', async () => {
    const target = randomId();
    await endedNow(target);
    const counts = createEndedRunCounts(collections);
    const stalled: EndedRunCounts = {
      ...counts,
      async writeDays(steps) {
        await collections.leases.updateOne({ _id: job }, { $set: { holder: 'other', until: new Date() } });
        return counts.writeDays(steps);
      },
    };
    const looks = look('one', -60_000, stalled);
    await looks();
    const { holder } = (await collections.leases.findOne({ _id: job }))!;
    expect(holder).to.equal('other');
    // It acquires the lease again with the old mark; counted runs are not counted twice.
    await look('third', -60_000)();
    expect(await recentOf(target)).to.have.length(1);
  });

  it('runs periodically, and releases the lease when it stops', async () => {
    const target = randomId();
    const keeper = startStatsUpdater({
      counts: createEndedRunCounts(collections),
      lease: leaseOf('one'),
      log,
      lateMs: 0,
    });
    const run = await endedNow(target);
    await eventually(async () => (await recentOf(target))?.includes(run) || undefined);
    await keeper.stop();
    const { until } = (await collections.leases.findOne({ _id: job }))!;
    expect(until.getTime()).to.be.at.most(Date.now());
  });

  it('logs an outage once, and continues afterwards', async () => {
    const said: string[] = [];
    const counts = createEndedRunCounts(collections);
    let broken = true;
    const keeper = startStatsUpdater({
      counts: {
        ...counts,
        endedAfter: (...of) => (broken ? Promise.reject(new Error('away')) : counts.endedAfter(...of)),
      },
      lease: leaseOf('one'),
      log: pino({ level: 'info' }, { write: (line: string) => void said.push(JSON.parse(line).msg) }),
    });
    await eventually(() => said.length > 0 || undefined);
    broken = false;
    await eventually(() => said.length > 1 || undefined);
    await keeper.stop();
    expect(said).to.deep.equal(['could not update statistics; retrying every 2 s', 'updating statistics again']);
  });
});
