import { expect } from 'chai';
import { MongoServerError, type Collection, type IndexDescription } from 'mongodb';
import { buildIndexes, indexesToBuild } from '#src/db/schema/build-indexes.js';
import { connectDatabase, SET_UP_TIMEOUTS } from '#src/db/connection/connect.js';
import { randomId } from '#src/domain/ids.js';
import { DATABASE_TIMEOUT_MS, testDatabase } from '#test/support/database.js';

describe('build indexes', () => {
  const indexes: IndexDescription[] = [{ key: { a: 1 }, name: 'by_a' }, { key: { b: -1, c: 1 } }];
  let collection: Collection;
  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    collection = (await testDatabase()).db.collection(`indexes_${randomId()}`);
  });

  it('reports the indexes that it builds, and builds none twice', async () => {
    const lines: string[] = [];
    const options = { onProgress: (line: string) => void lines.push(line) };
    await buildIndexes(collection, indexes, options);
    expect(lines[0]).to.equal(`Building indexes on ${collection.collectionName}: by_a, b_-1_c_1`);
    expect(lines[1]).to.match(/^Built indexes on \S+ in \d+ s$/);
    expect(await indexesToBuild(collection, indexes)).to.deep.equal([]);
    await buildIndexes(collection, indexes, options);
    expect(lines).to.have.length(2);
  });

  it('can be called concurrently', async () => {
    const other = (await testDatabase()).db.collection(`indexes_${randomId()}`);
    await Promise.all([1, 2, 3].map(() => buildIndexes(other, indexes)));
    expect(await indexesToBuild(other, indexes)).to.deep.equal([]);
  });

  it('waits for a build in progress, and reports that it does', async () => {
    const other = (await testDatabase()).db.collection(`indexes_${randomId()}`);
    const lines: string[] = [];
    let refusals = 3;
    const busy = {
      collectionName: other.collectionName,
      listIndexes: () => other.listIndexes(),
      createIndexes: async (descriptions: IndexDescription[]) => {
        if (refusals-- > 0) throw new MongoServerError({ message: 'busy', codeName: 'IndexBuildAlreadyInProgress' });
        return other.createIndexes(descriptions);
      },
    };
    const options = { onProgress: (line: string) => void lines.push(line), reportEveryMs: 1, pollMs: 5 };
    await buildIndexes(busy, indexes, options);
    expect(await indexesToBuild(other, indexes)).to.deep.equal([]);
    expect(lines.some((line) => line.startsWith('Still building'))).to.equal(true);
  });

  it('runs without a socket timeout in `runhook setup`', async () => {
    const { client, close } = await connectDatabase((await testDatabase()).url, SET_UP_TIMEOUTS);
    expect(client.options.socketTimeoutMS).to.equal(0);
    await close();
  });
});
