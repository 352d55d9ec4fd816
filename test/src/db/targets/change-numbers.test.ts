import { expect } from 'chai';
import { nextChangeNumber } from '#src/db/targets/change-numbers.js';
import type { Collections } from '#src/db/schema/collections.js';
import { createTargetFinder } from '#src/db/targets/find-target.js';
import { createTestStore } from '#src/db/targets/target-store.js';
import { randomId } from '#src/domain/ids.js';
import { aSuiteDefinition } from '#test/builders/run.js';
import { aTest } from '#test/builders/test.js';
import { DATABASE_TIMEOUT_MS, testDatabase } from '#test/support/database.js';

describe('change numbers', () => {
  let collections: Collections;
  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    ({ collections } = await testDatabase());
  });

  it('are unique, also when a project’s first ones are allocated concurrently', async () => {
    const projectId = randomId();
    const next = () => nextChangeNumber(collections, projectId);
    const numbers = await Promise.all(Array.from({ length: 20 }, next));
    expect(numbers.sort((a, b) => a - b)).to.deep.equal(Array.from({ length: 20 }, (_, index) => index + 1));
    expect(await nextChangeNumber(collections, randomId())).to.equal(1);
  });

  it('are part of the lookup of a suite, starting at 0', async () => {
    const projectId = randomId();
    const suite = {
      _id: randomId(),
      projectId,
      name: 'Smoke',
      definition: aSuiteDefinition(),
      revision: 1,
      modifiedAt: new Date(),
    };
    const archived = { ...suite, _id: randomId(), archivedAt: new Date() };
    await collections.suites.insertMany([suite, archived]);
    const finder = createTargetFinder(collections);
    const numberOf = async (id: string) => (await finder.target('suite', id, Infinity))?.changeNumber;
    expect(await numberOf(suite._id)).to.equal(0);
    for (let changes = 0; changes < 3; changes++) await nextChangeNumber(collections, projectId);
    const both = await Promise.all([suite._id, archived._id, 'unknown'].map(numberOf));
    expect(both).to.deep.equal([3, undefined, undefined]);
    expect(await finder.target('suite', suite._id, Infinity)).to.deep.include({ _id: suite._id, projectId });
  });

  it('are stored with every revision of a test, in increasing order', async () => {
    const projectId = randomId();
    const store = createTestStore(collections);
    const { document } = await store.insert(aTest({ projectId }));
    expect(document).to.include({ changeNumber: 1 });
    const changed = await store.replace(document, { name: 'Renamed', definition: document.definition }, new Date());
    expect(changed).to.include({ revision: 2, changeNumber: 2 });
    expect(await collections.testRevisions.findOne({ _id: `${document._id}:1` })).to.include({ changeNumber: 1 });
    expect(await store.archive(changed!)).to.equal(true);
    expect(await store.find(document._id)).to.include({ changeNumber: 2, archivedAtChange: 3 });
  });
});
