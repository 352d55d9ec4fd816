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
/** A page, the entry that shows that there is a next one, and the first entry of each merged index range. */
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

  /** Expects each query to use an index and to stay within its bounds. */
  async function expectBounded(
    query: (collections: Collections) => Promise<unknown>,
    max: { docs: number; keys?: number },
  ): Promise<Explained[]> {
    const queries = await explainQueries(url, query);
    expect(queries).to.not.have.length(0);
    for (const { query, stages, keys, docs, command } of queries) {
      const what = `${query} ${JSON.stringify(command).slice(0, 400)}`;
      expect(stages, what).to.not.include('COLLSCAN');
      expect(stages, what).to.not.be.empty;
      expect(docs, `documents of ${what}`).to.be.at.most(max.docs);
      if (max.keys !== undefined) expect(keys, `keys of ${what}`).to.be.at.most(max.keys);
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
      'of a status without runs': { statuses: ['running'] },
      'of suites': { kind: 'suite' },
      'of a trigger': { triggers: ['cli'] },
      'of a trigger without runs': { triggers: ['schedule'] },
      'since a time': { since: new Date(Date.now() - 3 * 24 * 3_600_000) },
    }))
      it(name, () => expectBounded(runsOf(some), { docs: A_PAGE }));

    it('open runs of a removed project', async () => {
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

    it('of a test, including its runs in suites', () =>
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

    it('by status and name, reading only this suite run', () =>
      expectBounded(testsOf({ statuses: ['failed'], search: 'cart' }), { docs: SIZE.tests, keys: SIZE.tests + 1 }));
  });

  describe('a log', () => {
    const max = { lines: 100, characters: 1e6 };
    const place = { attempt: 1, delivery: 1, seq: 250 };

    for (const [name, from] of [
      ['from an end', undefined],
      ['from a line', place],
    ] as const) {
      it(`forwards ${name}`, () =>
        expectBounded(({ runLogs }) => logLinesAfter(runLogs, big.loggedRunId, from, max), { docs: 202, keys: 210 }));

      it(`backwards ${name}`, () =>
        expectBounded(({ runLogs }) => logLinesBefore(runLogs, big.loggedRunId, from, max), { docs: 202, keys: 210 }));
    }
  });

  it('a poll for live pages reads only recent changes', async () => {
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

    it('archived', () => expectBounded(testsOf({ isArchived: true }), { docs: 1, keys: 2 }));

    it('by part of the name, reading only the matching documents', () =>
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

    it('for the targets of a page', () =>
      expectBounded((all) => stats(all).ofTargets(big.tests.slice(0, LIMIT).map(({ _id }) => _id)), { docs: LIMIT }));

    it('health of a project, from indexes alone', () =>
      expectBounded((all) => stats(all).ofProjects([projectId]), { docs: 2, keys: 2 * SIZE.tests }));

    it('insights: the days and the rankings', async () => {
      const queries = await expectBounded((all) => stats(all).insights(projectId, { days: 90 }), {
        docs: SIZE.tests / 5,
      });
      for (const { query, docs } of queries)
        expect(docs, query).to.be.at.most(query === 'project_days.find' ? 91 : SIZE.tests / 5);
    });

    it('a poll for ended runs that finds none', () =>
      expectBounded((all) => createEndedRunCounts(all).endedAfter(new Date(), new Date(Date.now() + 1000), 500), {
        docs: 0,
        keys: 5,
      }));
  });

  it('the audit log of a project', () =>
    expectBounded((collections) => createAuditStore(collections).page(projectId, page), { docs: A_PAGE }));

  it('the audit log of the instance', () =>
    expectBounded((collections) => createAuditStore(collections).page(undefined, page), { docs: A_PAGE }));
});
