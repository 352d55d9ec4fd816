import { expect } from 'chai';
import { insertRunCases, pageOfCases, type CaseFilter } from '#src/db/runs/run-cases.js';
import { randomId } from '#src/domain/ids.js';
import { aCase } from '#test/builders/case.js';
import { DATABASE_TIMEOUT_MS, testDatabase } from '#test/support/database.js';
import { explainQueries } from '#test/support/mongodb/explained.js';

const LIMIT = 25;

describe('a page of cases', () => {
  const runId = randomId();
  let url: string;

  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    const database = await testDatabase();
    ({ url } = database);
    const cases = Array.from({ length: 1000 }, (_, index) =>
      aCase(runId, index + 1, index % 100 === 7 ? { status: 'failed' } : {}),
    );
    await insertRunCases(database.collections, cases);
    // Another delivery, which these pages must not read.
    await insertRunCases(
      database.collections,
      Array.from({ length: 300 }, (_, index) => aCase(runId, index + 1, { delivery: 2 })),
    );
  });

  const of = { runId, attempt: 1, delivery: 1 };
  for (const [name, some] of Object.entries({
    all: {},
    'of one status': { statuses: ['failed'] },
    'of two statuses': { statuses: ['failed', 'passed'] },
    'of a status without cases': { statuses: ['error'] },
  } satisfies Record<string, Partial<CaseFilter>>))
    it(`reads only its own cases: ${name}`, async () => {
      const { collections } = await testDatabase();
      const { next } = await pageOfCases(collections, { ...of, ...some }, { limit: LIMIT });
      for (const cursor of next ? [undefined, next] : [undefined]) {
        const queries = await explainQueries(url, (explained) =>
          pageOfCases(explained, { ...of, ...some }, { limit: LIMIT, cursor }),
        );
        for (const { query, stages, docs } of queries) {
          expect(stages, query).to.not.include('COLLSCAN').and.to.not.include('SORT');
          expect(docs, query).to.be.at.most(2 * LIMIT);
        }
      }
    });
});
