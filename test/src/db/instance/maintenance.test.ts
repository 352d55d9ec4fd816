import { expect } from 'chai';
import type { Collections } from '#src/db/schema/collections.js';
import { addToReport, readReports } from '#src/db/instance/maintenance.js';
import { DATABASE_TIMEOUT_MS, testDatabase } from '#test/support/database.js';

describe('maintenance reports', () => {
  let collections: Collections;
  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    ({ collections } = await testDatabase());
    await collections.maintenance.deleteMany({});
  });

  it('add each pass once, and contain the last success', async () => {
    const add = (pass: string, counts: Record<string, number>, succeeded = true) =>
      addToReport(collections, 'reconcile', { pass, counts, succeeded });
    await add('a', { stopped: 1 });
    await add('a', { stopped: 1 });
    const lastSuccessAt = (await readReports(collections))[0]!.lastSuccessAt!;
    expect(lastSuccessAt.getTime()).to.be.closeTo(Date.now(), 60_000);
    await add('b', { stopped: 2, skipped: 5 }, false);
    await add('c', {}, false);
    const reports = await readReports(collections);
    expect(reports).to.deep.equal([{ _id: 'reconcile', counts: { stopped: 3, skipped: 5 }, pass: 'c', lastSuccessAt }]);
  });

  it('have no counts until a pass has counted something', async () => {
    await addToReport(collections, 'retention', { pass: 'a', counts: {}, succeeded: false });
    expect((await readReports(collections)).find(({ _id }) => _id === 'retention')).to.deep.include({ counts: {} });
  });
});
