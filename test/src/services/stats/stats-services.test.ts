import { expect } from 'chai';
import type { Collections } from '#src/db/schema/collections.js';
import { createEndedRunCounts } from '#src/db/stats/count-ended.js';
import { randomId } from '#src/domain/ids.js';
import type { Test } from '#src/domain/records.js';
import type { TestRun } from '#src/domain/runs/run.js';
import { createStatsServices, type StatsServices } from '#src/services/stats/stats-services.js';
import { countBatch } from '#src/services/stats/count-batch.js';
import { aClock } from '#test/builders/clock.js';
import { aSuiteDefinition, aSuiteRun, aTestRun } from '#test/builders/run.js';
import { aTest } from '#test/builders/test.js';
import { DATABASE_TIMEOUT_MS, testDatabase } from '#test/support/database.js';

const NOW = new Date('2011-03-10T12:00:00Z');
const daysAgo = (days: number, ms = 0) => new Date(NOW.getTime() - days * 24 * 3_600_000 + ms);

describe('statistics', () => {
  let collections: Collections;
  let stats: StatsServices;
  const projectId = randomId();
  const emptyId = randomId();
  const tests: Record<string, Test> = {};
  const suite = { ...aTest({ projectId, name: 'Nightly' }), definition: aSuiteDefinition() };
  let newest: TestRun;

  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    ({ collections } = await testDatabase());
    stats = createStatsServices(collections, aClock());
    for (const name of ['Quick', 'Slow', 'Shaky', 'Red', 'Gone', 'New'])
      tests[name] = aTest({ projectId, name: `${name} (old name)` });
    await collections.tests.insertMany(Object.values(tests));
    await collections.suites.insertOne(suite);
    await collections.runs.insertMany([
      ended('Quick', daysAgo(3), 100),
      ended('Quick', daysAgo(2), 300),
      ended('Slow', daysAgo(20), 60_000),
      ended('Shaky', daysAgo(5), 1000),
      ended('Shaky', daysAgo(4), 1000, { status: 'failed' }),
      ended('Shaky', daysAgo(1), 1000),
      ended('Red', daysAgo(1, 5), 2000, { status: 'failed' }),
      ended('Gone', daysAgo(1, 6), 90_000, { status: 'error' }),
      ...[7000, 5000, 9000].map((ms, index) => ({
        ...aSuiteRun({ projectId, targetId: suite._id, status: 'passed' }),
        ...times(daysAgo(3, index), ms),
      })),
    ]);
    newest = aTestRun({ projectId, targetId: tests.New!._id });
    await collections.runs.insertOne(newest);
    await countBatch(createEndedRunCounts(collections), daysAgo(80), NOW, 1000);
    await collections.tests.updateOne({ _id: tests.Gone!._id }, { $set: { archivedAt: NOW } });
    for (const [name, { _id }] of Object.entries(tests)) await collections.tests.updateOne({ _id }, { $set: { name } });
  });

  const times = (endedAt: Date, ms: number) => ({
    startedAt: new Date(endedAt.getTime() - ms),
    endedAt,
    queuedAt: endedAt,
    modified: endedAt,
  });

  const ended = (name: string, endedAt: Date, ms: number, some: Partial<TestRun> = {}) =>
    aTestRun({ projectId, targetId: tests[name]!._id, status: 'passed', ...times(endedAt, ms), ...some });

  it('returns the last verdict, pass rate and runs of targets', async () => {
    const of = await stats.ofTargets([tests.Shaky!._id, tests.New!._id]);
    expect(of.get(tests.New!._id)).to.deep.equal({ recent: [] });
    const { last, passRate, medianMs, recent } = of.get(tests.Shaky!._id)!;
    expect({ passRate, medianMs }).to.deep.equal({ passRate: 2 / 3, medianMs: 1000 });
    expect(recent.map(({ status }) => status)).to.deep.equal(['passed', 'failed', 'passed']);
    expect(last).to.deep.equal({ runId: recent[2]!.runId, status: 'passed', endedAt: daysAgo(1) });
  });

  it('returns the expected duration of a suite', async () => {
    expect(await stats.etaOf(suite._id)).to.equal(7000);
    expect(await stats.etaOf(randomId())).to.equal(undefined);
  });

  it('returns the health of projects', async () => {
    const health = await stats.ofProjects([projectId, emptyId]);
    expect(health.get(projectId)).to.deep.equal({
      tests: 5,
      suites: 1,
      failing: 1,
      openRuns: 1,
      lastRunAt: newest.queuedAt,
    });
    expect(health.get(emptyId)).to.deep.equal({ tests: 0, suites: 0, failing: 0, openRuns: 0 });
    expect(await stats.ofProjects([])).to.have.length(0);
  });

  describe('lists by verdict', () => {
    const list = async (some: object, limit = 10, cursor?: string) => {
      const page = await stats.pageByVerdict(
        { projectId, kind: 'test', sort: 'lastRun', ...some },
        { limit, ...(cursor ? { cursor } : {}) },
      );
      return { ...page, names: page.items.map(({ name }) => name) };
    };

    it('are sorted by last run, pass rate or duration, with current names', async () => {
      expect((await list({})).names).to.deep.equal(['Red', 'Shaky', 'Quick', 'Slow']);
      expect((await list({ sort: 'passRate' })).names.slice(0, 2)).to.deep.equal(['Red', 'Shaky']);
      expect((await list({ sort: 'duration' })).names).to.deep.equal(['Slow', 'Red', 'Shaky', 'Quick']);
    });

    it('are filtered by verdict and by name', async () => {
      expect(await list({ statuses: ['failed', 'error'] })).to.deep.include({ names: ['Red'], count: 1 });
      expect((await list({ search: 'OW' })).names).to.deep.equal(['Slow']);
      expect(await list({ search: 'old name' })).to.deep.include({ names: [], count: 0 });
    });

    it('are paged', async () => {
      const first = await list({}, 3);
      expect(first).to.deep.include({ names: ['Red', 'Shaky', 'Quick'], count: 4 });
      expect((await list({}, 3, first.next)).names).to.deep.equal(['Slow']);
    });

    it('contain tests or suites', async () => {
      expect((await list({ kind: 'suite' })).names).to.deep.equal(['Nightly']);
    });
  });

  it('returns the insights of a range of days', async () => {
    const { days, slowest, flakiest } = await stats.insights(projectId, { days: 7 }, NOW);
    expect(days.map(({ day }) => day)).to.deep.equal(
      [6, 5, 4, 3, 2, 1, 0].map((back) => daysAgo(back).toISOString().slice(0, 10)),
    );
    expect(days[3]).to.deep.equal({
      day: '2011-03-07',
      test: { passed: 1, failed: 0, error: 0, durationMs: 100 },
      suite: { passed: 3, failed: 0, error: 0, durationMs: 21_000 },
      cases: { passed: 0, failed: 0, error: 0, skipped: 0 },
    });
    expect(slowest.map(({ name }) => name)).to.deep.equal(['Red', 'Shaky', 'Quick']);
    expect(flakiest).to.deep.equal([{ targetId: tests.Shaky!._id, name: 'Shaky', flips: 2 }]);
    const month = await stats.insights(projectId, { days: 30 }, NOW);
    expect(month.slowest[0]).to.deep.equal({ targetId: tests.Slow!._id, name: 'Slow', medianMs: 60_000 });
  });

  it('returns the insights of a project without runs', async () => {
    const { days, slowest, flakiest } = await stats.insights(emptyId, { days: 30 }, NOW);
    expect([days.length, slowest, flakiest]).to.deep.equal([30, [], []]);
  });
});
