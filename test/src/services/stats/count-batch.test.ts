import { expect } from 'chai';
import type { Collections } from '#src/db/schema/collections.js';
import { createEndedRunCounts, type EndedRunCounts } from '#src/db/stats/count-ended.js';
import { idOfDay } from '#src/domain/stats/project-day.js';
import { randomId } from '#src/domain/ids.js';
import type { TestRun } from '#src/domain/runs/run.js';
import { countBatch } from '#src/services/stats/count-batch.js';
import { aSuiteRun, aTestRun } from '#test/builders/run.js';
import { DATABASE_TIMEOUT_MS, testDatabase } from '#test/support/database.js';

const DAY_MS = 24 * 3_600_000;
let lastDay = Date.UTC(2001, 0, 1);

describe('count ended runs', () => {
  let collections: Collections;
  let counts: EndedRunCounts;
  /** A past day that no other test uses. */
  let began: number;
  const at = (ms: number) => new Date(began + ms);
  const projectId = randomId();

  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    ({ collections } = await testDatabase());
    counts = createEndedRunCounts(collections);
  });

  beforeEach(() => void (began = lastDay += DAY_MS));

  /** Inserts runs that ended at these ms of the test's day. */
  async function ended(targetId: string, ends: number[], some: Partial<TestRun> = {}): Promise<TestRun[]> {
    const runs = ends.map((ms) =>
      aTestRun({
        projectId,
        targetId,
        status: 'passed',
        startedAt: at(ms - 1),
        endedAt: at(ms),
        modified: at(ms),
        ...some,
      }),
    );
    await collections.runs.insertMany(runs);
    return runs;
  }

  const count = (from: number, until: number, limit = 100, by = counts) => countBatch(by, at(from), at(until), limit);
  const recentOf = async (targetId: string) =>
    (await collections.targetStats.findOne({ _id: targetId }))?.recent.map(({ runId }) => runId);
  const day = async () =>
    collections.projectDays.findOne({ _id: idOfDay(projectId, at(0).toISOString().slice(0, 10)) });

  it('adds them to the statistics of their targets and of the day', async () => {
    const [one, other] = [randomId(), randomId()];
    const passed = await ended(one, [100, 300]);
    const failed = await ended(other, [200], { status: 'failed' });
    const suite = aSuiteRun({ projectId, status: 'error', endedAt: at(250), modified: at(250) });
    await collections.runs.insertOne(suite);
    expect(await count(0, 1000)).to.deep.equal({ outcome: 'counted', runs: 4, mark: at(300) });
    expect(await recentOf(one)).to.deep.equal(passed.map(({ _id }) => _id));
    expect(await recentOf(other)).to.deep.equal(failed.map(({ _id }) => _id));
    expect(await recentOf(suite.targetId)).to.deep.equal([suite._id]);
    expect(await day()).to.deep.include({
      test: { passed: 2, failed: 1, error: 0, durationMs: 3 },
      suite: { passed: 0, failed: 0, error: 1, durationMs: 0 },
    });
    expect(await count(300, 1000)).to.deep.equal({ outcome: 'nothing' });
  });

  it('counts the cases of the last attempt’s results once, and adds them to a day without any', async () => {
    const target = randomId();
    await ended(target, [50]);
    await count(0, 60);
    expect(await day()).not.to.have.property('cases');
    const cases = (passed: number, failed: number) => ({ passed, failed, error: 1, skipped: 0 });
    const attempts = [cases(1, 9), cases(5, 2)].map((counts, index) => ({
      number: index + 1,
      delivery: 1,
      worker: 'w',
      startedAt: at(1),
      verdict: { status: 'failed' as const, cases: counts },
    }));
    await ended(target, [100, 200], { status: 'failed', attempts });
    await ended(target, [300]);
    await count(60, 1000);
    // As after a crash before the mark was written.
    await count(60, 1000);
    expect((await day())?.cases).to.deep.equal({ passed: 10, failed: 4, error: 2, skipped: 0 });
  });

  it('ignores stopped, skipped and open runs, and those that are too recent', async () => {
    const target = randomId();
    await ended(target, [10], { status: 'stopped' });
    await ended(target, [20], { status: 'skipped' });
    await ended(target, [30], { status: 'running' });
    await ended(target, [900]);
    expect(await count(0, 800)).to.deep.equal({ outcome: 'nothing' });
  });

  it('continues in batches, and does not split runs that ended at the same time', async () => {
    const target = randomId();
    const runs = await ended(target, [10, 20, 20, 20, 30]);
    const marks: (Date | undefined)[] = [];
    for (let mark = at(0); ;) {
      const batch = await countBatch(counts, mark, at(100), 2);
      if (batch.outcome !== 'counted') break;
      marks.push((mark = batch.mark));
    }
    expect(marks).to.deep.equal([at(10), at(20), at(30)]);
    expect(await recentOf(target)).to.have.members(runs.map(({ _id }) => _id));
    expect((await day())?.test.passed).to.equal(5);
  });

  it('counts nothing twice after an interruption between the writes', async () => {
    const target = randomId();
    await ended(target, [10, 20]);
    const crashing = { ...counts, writeDays: () => Promise.reject(new Error('gone')) };
    const crashed = await count(0, 100, 100, crashing).catch((error: Error) => error.message);
    expect(crashed).to.equal('gone');
    await ended(target, [30]);
    expect(await count(0, 100)).to.deep.include({ outcome: 'counted', runs: 3 });
    expect(await recentOf(target)).to.have.length(3);
    expect((await day())?.test).to.deep.include({ passed: 3, durationMs: 3 });
    await count(0, 100);
    expect((await day())?.test.passed).to.equal(3);
  });

  it('detects a concurrent update of the same statistics, and counts nothing twice', async () => {
    const target = randomId();
    await ended(target, [10]);
    await count(0, 15);
    await ended(target, [20, 30]);
    let other: Promise<unknown> | undefined;
    const slow: EndedRunCounts = {
      ...counts,
      async targets(ids) {
        const existing = await counts.targets(ids);
        await (other ??= count(0, 100));
        return existing;
      },
    };
    expect(await count(0, 100, 100, slow)).to.deep.equal({ outcome: 'overtaken' });
    expect(await recentOf(target)).to.have.length(3);
    expect((await day())?.test.passed).to.equal(3);
  });

  it('detects a concurrent creation of the same statistics', async () => {
    const target = randomId();
    await ended(target, [10]);
    const slow: EndedRunCounts = {
      ...counts,
      async targets(ids) {
        const existing = await counts.targets(ids);
        await count(0, 100);
        return existing;
      },
    };
    expect(await count(0, 100, 100, slow)).to.deep.equal({ outcome: 'overtaken' });
    expect((await day())?.test.passed).to.equal(1);
  });
});
