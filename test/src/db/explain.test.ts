import { expect } from 'chai';
import { createAuditStore } from '#src/db/instance/audit-store.js';
import type { Collections } from '#src/db/schema/collections.js';
import { createEndedRunCounts } from '#src/db/stats/count-ended.js';
import { createRunLists } from '#src/db/runs/list-runs.js';
import { createRemovedProjectStore } from '#src/db/projects/removed-project-store.js';
import { createRunChanges } from '#src/db/runs/run-changes.js';
import { logLinesAfter, logLinesBefore } from '#src/db/runs/run-logs.js';
import { createTestStore } from '#src/db/targets/target-store.js';
import { randomId } from '#src/domain/ids.js';
import { createStatsServices } from '#src/services/stats/stats-services.js';
import { countBatch } from '#src/services/stats/count-batch.js';
import { BIG, seedBigProject, type BigProject } from '#test/support/big-project.js';
import { DATABASE_TIMEOUT_MS, testDatabase } from '#test/support/database.js';
import { explainQueries, type Explained } from '#test/support/mongodb/explained.js';
import { aClock } from '#test/builders/clock.js';

const LIMIT = 25;
const SIZE = { ...BIG, tests: 1000, suites: 20, runs: 8000, suiteTests: 50, logLines: 500, auditEntries: 500 };
/** A page, what tells that there is a next one, and what each merged part of an index is ahead. */
const A_PAGE = 2 * LIMIT + 20;

describe('queries behind the pages', () => {
  let url: string;
  let big: BigProject;
  const projectId = randomId();

  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    const database = await testDatabase();
    ({ url } = database);
    big = await seedBigProject(database.collections, projectId, SIZE);
    const counts = createEndedRunCounts(database.collections);
    for (let mark = new Date(0); ;) {
      const batch = await countBatch(counts, mark, new Date(), 1000);
      if (batch.outcome !== 'counted') break;
      mark = batch.mark;
    }
    await database.collections.tests.updateOne({ _id: big.tests[0]!._id }, { $set: { archivedAt: new Date() } });
  });

  /** Each query within its bounds; counts read keys only. */
  async function expectBounded(
    ask: (collections: Collections) => Promise<unknown>,
    most: { docs: number; keys?: number },
  ): Promise<Explained[]> {
    const queries = await explainQueries(url, ask);
    expect(queries).to.not.have.length(0);
    for (const { query, stages, keys, docs, command } of queries) {
      const what = `${query} ${JSON.stringify(command).slice(0, 400)}`;
      expect(stages, what).to.not.include('COLLSCAN');
      expect(stages, what).to.not.be.empty;
      expect(docs, `documents of ${what}`).to.be.at.most(most.docs);
      if (most.keys !== undefined) expect(keys, `keys of ${what}`).to.be.at.most(most.keys);
    }
    return queries;
  }

  const page = { limit: LIMIT };

  describe('runs of a project', () => {
    const runsOf = (some: object) => (collections: Collections) =>
      createRunLists(collections).page({ projectIds: [projectId], ...some }, page);

    for (const [name, some] of Object.entries({
      'all of them': {},
      'of one status': { statuses: ['failed'] },
      'of a status that none has': { statuses: ['running'] },
      'of suites': { kind: 'suite' },
      'of a trigger': { triggers: ['cli'] },
      'of a trigger that none has': { triggers: ['schedule'] },
      'since a moment': { since: new Date(Date.now() - 3 * 24 * 3_600_000) },
    }))
      it(name, () => expectBounded(runsOf(some), { docs: A_PAGE }));

    it('open ones, once it was removed', async () => {
      const queries = await expectBounded(
        async (collections) => {
          const store = createRemovedProjectStore(collections);
          await store.list();
          await store.openRuns(projectId);
          await store.stopPending({ id: projectId, since: new Date(), ageMs: 0 });
        },
        { docs: A_PAGE },
      );
      expect(queries.length).to.be.at.least(3);
    });

    it('of a test, its suites’ included', () =>
      expectBounded(
        (collections) =>
          createRunLists(collections).page({ projectIds: [projectId], targetId: big.tests[1]!._id }, page),
        { docs: SIZE.runs / 100, keys: SIZE.runs / 50 },
      ));
  });

  describe('tests of a suite run', () => {
    const testsOf = (some: object) => (collections: Collections) =>
      createRunLists(collections).ofSuite(big.biggestRunId, some, page);

    it('in order', () => expectBounded(testsOf({}), { docs: A_PAGE }));

    it('of a status or a name: read are this suite run’s', () =>
      expectBounded(testsOf({ statuses: ['failed'], search: 'cart' }), { docs: SIZE.tests, keys: SIZE.tests + 1 }));
  });

  describe('a log', () => {
    const max = { lines: 100, characters: 1e6 };
    const place = { attempt: 1, delivery: 1, seq: 250 };

    for (const [name, from] of [
      ['from an end', undefined],
      ['from a line', place],
    ] as const) {
      it(`onwards ${name}`, () =>
        expectBounded(({ runLogs }) => logLinesAfter(runLogs, big.loggedRunId, from, max), { docs: 202, keys: 210 }));

      it(`backwards ${name}`, () =>
        expectBounded(({ runLogs }) => logLinesBefore(runLogs, big.loggedRunId, from, max), { docs: 202, keys: 210 }));
    }
  });

  it('a look for live pages: read is what was written lately', async () => {
    const whose = { projectIds: [projectId], suiteRunIds: [big.biggestRunId] };
    await expectBounded((collections) => createRunChanges(collections).since(new Date(), whose, 2000), {
      docs: 1,
      keys: 20,
    });
  });

  describe('tests of a project', () => {
    const testsOf = (some: object) => (collections: Collections) =>
      createTestStore(collections).page({ projectId, isArchived: false, ...some }, page);

    it('by name', () => expectBounded(testsOf({}), { docs: A_PAGE, keys: SIZE.tests + 1 }));

    it('that are archived', () => expectBounded(testsOf({ isArchived: true }), { docs: 1, keys: 2 }));

    it('by a part of the name: read are those that have it', () =>
      expectBounded(testsOf({ search: '0071' }), { docs: 20, keys: SIZE.tests + 1 }));
  });

  describe('statistics', () => {
    const stats = (collections: Collections) => createStatsServices(collections, aClock());
    const byVerdict = (some: object) => (collections: Collections) =>
      stats(collections).pageByVerdict({ projectId, kind: 'test', sort: 'lastRun', ...some }, page);

    for (const sort of ['lastRun', 'passRate', 'duration'])
      it(`a page by ${sort}`, () => expectBounded(byVerdict({ sort }), { docs: A_PAGE, keys: 2 * SIZE.tests }));

    it('a page of a verdict', () => expectBounded(byVerdict({ statuses: ['failed'] }), { docs: A_PAGE }));

    it('a page of a verdict and a part of the name', () =>
      expectBounded(byVerdict({ statuses: ['failed', 'error'], search: 'cart' }), { docs: A_PAGE }));

    it('of the targets of a page', () =>
      expectBounded((all) => stats(all).ofTargets(big.tests.slice(0, LIMIT).map(({ _id }) => _id)), { docs: LIMIT }));

    it('health of a project, from indexes alone', () =>
      expectBounded((all) => stats(all).ofProjects([projectId]), { docs: 2, keys: 2 * SIZE.tests }));

    it('insights: the days, and the ten of each ranking', async () => {
      const queries = await expectBounded((all) => stats(all).insights(projectId, { days: 90 }), {
        docs: SIZE.tests / 5,
      });
      for (const { query, docs } of queries)
        expect(docs, query).to.be.at.most(query === 'project_days.find' ? 91 : SIZE.tests / 5);
    });

    it('a look of the keeper that finds nothing', () =>
      expectBounded((all) => createEndedRunCounts(all).endedAfter(new Date(), new Date(Date.now() + 1000), 500), {
        docs: 0,
        keys: 5,
      }));
  });

  it('the audit', () =>
    expectBounded((collections) => createAuditStore(collections).page(projectId, page), { docs: A_PAGE }));

  it('the audit of the instance', () =>
    expectBounded((collections) => createAuditStore(collections).page(undefined, page), { docs: A_PAGE }));
});
