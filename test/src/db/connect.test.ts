import { expect } from 'chai';
import { BACKGROUND_TIMEOUTS, connectDatabase, durabilityProblem, openDatabase } from '../../../src/db/connect.js';
import { createLogger } from '../../../src/logger.js';
import { DATABASE_TIMEOUT_MS, testDatabase } from '../../support/database.js';

describe('connect to MongoDB', () => {
  const silent = createLogger('test', 'silent');
  /** Nobody listens there: the options are looked at, no more. */
  const opened = async (url: string) => {
    const { client, db, close } = openDatabase(url, BACKGROUND_TIMEOUTS, silent);
    const { writeConcern } = client;
    await close();
    return { w: writeConcern?.w, journal: writeConcern?.journal, name: db.databaseName };
  };

  it('waits for the journal of a standalone server, and for the majority of a replica set', async () => {
    expect(await opened('mongodb://127.0.0.1:1/')).to.include({ w: 1, journal: true });
    expect(await opened('mongodb://user:p%40ss@127.0.0.1:1/db')).to.include({ w: 1, journal: true });
    expect(await opened('mongodb://127.0.0.1:1,127.0.0.1:2/')).to.include({ w: 'majority', journal: true });
    expect(await opened('mongodb://127.0.0.1:1/?replicaSet=rs')).to.include({ w: 'majority', journal: true });
  });

  it('leaves to the address what it says itself', async () => {
    expect(await opened('mongodb://127.0.0.1:1/?w=2&journal=true')).to.include({ w: 2, journal: true });
  });

  it('uses the database that the address names', async () => {
    expect((await opened('mongodb://127.0.0.1:1/shop?w=1')).name).to.equal('shop');
    expect((await opened('mongodb://127.0.0.1:1')).name).to.equal('runhook');
  });

  it('finds nothing wrong with a standalone server', async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    const { url } = await testDatabase();
    const database = await connectDatabase(url, BACKGROUND_TIMEOUTS);
    try {
      expect(await durabilityProblem(url, database)).to.equal(undefined);
    } finally {
      await database.client.close();
    }
  });
});
