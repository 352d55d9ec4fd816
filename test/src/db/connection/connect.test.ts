import { expect } from 'chai';
import { collectionsOf } from '#src/db/schema/collections.js';
import {
  BACKGROUND_TIMEOUTS,
  connectDatabase,
  openDatabase,
  RefusedUrlError,
  REQUEST_TIMEOUTS,
} from '#src/db/connection/connect.js';
import { insertOnce } from '#src/db/query/insert-once.js';
import { createRunInserter, DuplicateRunError } from '#src/db/runs/insert-run.js';
import { setUpDatabase } from '#src/db/schema/set-up.js';
import { randomId } from '#src/domain/ids.js';
import { createLogger } from '#src/lib/logger.js';
import { aTestRun } from '#test/builders/run.js';
import { startLink } from '#test/chaos/system/link.js';
import { DATABASE_TIMEOUT_MS, testDatabase } from '#test/support/database.js';
import { eventually } from '#test/support/eventually.js';
import { startWireProxy, weaknessOf, type Pose, type WireProxy } from '#test/support/mongodb/mongodb-wire.js';

describe('connect to MongoDB', () => {
  const silent = createLogger('test', 'silent');
  let serverUrl: URL;
  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    serverUrl = new URL((await testDatabase()).url);
  });

  const proxies: WireProxy[] = [];
  afterEach(async () => {
    await Promise.all(proxies.splice(0).map((proxy) => proxy.close()));
  });

  /** The test's database behind a proxy. @param query of the connection string, with the question mark */
  async function behind(pose: Pose, query = ''): Promise<{ proxy: WireProxy; url: string }> {
    const proxy = await startWireProxy(Number(serverUrl.port), pose);
    proxies.push(proxy);
    return { proxy, url: `mongodb://127.0.0.1:${proxy.port}${serverUrl.pathname}${query}` };
  }
  const insertsOf = ({ commands }: WireProxy) =>
    commands.filter(({ name }) => name === 'insert').map(({ body }) => body.writeConcern);

  async function insertThrough(url: string): Promise<void> {
    const { db, close } = await connectDatabase(url, BACKGROUND_TIMEOUTS);
    try {
      await db.collection<{ _id: string }>('connect_test').insertOne({ _id: randomId() });
    } finally {
      await close();
    }
  }

  it('waits for the journal of a standalone server, with any connection string', async () => {
    for (const query of ['', '?w=majority', '?w=0', '?w=1&journal=false']) {
      const { proxy, url } = await behind('as it is', query);
      await insertThrough(url);
      expect(insertsOf(proxy), query).to.deep.equal([{ w: 1, j: true }]);
    }
  });

  it('waits for the majority of a replica set or a cluster, also without replicaSet in the connection string', async () => {
    for (const pose of ['replica set', 'mongos'] as const)
      for (const query of ['', '?directConnection=true', '?w=2&journal=false&wtimeoutMS=1']) {
        const { proxy, url } = await behind(pose, query);
        await insertThrough(url);
        expect(insertsOf(proxy), `${pose} ${query}`).to.deep.equal([{ w: 'majority', j: true }]);
      }
  });

  it('rejects w=0 and w=1 on a replica set, with advice', async () => {
    for (const query of ['?w=0', '?retryWrites=false&w=1', '?W=1']) {
      const { proxy, url } = await behind('replica set', query);
      const error = await connectDatabase(url, BACKGROUND_TIMEOUTS).then(
        () => undefined,
        (reason: Error) => reason,
      );
      expect(error, query).to.be.instanceOf(RefusedUrlError);
      expect(error!.message).to.match(/MONGODB_URL contains w=[01].*Remove w=[01]/i);
      expect(insertsOf(proxy)).to.deep.equal([]);
    }
  });

  it('keeps the database closed after its connection string was refused', async () => {
    const { proxy, url } = await behind('replica set', '?w=1');
    let refused: RefusedUrlError | undefined;
    const database = openDatabase(url, BACKGROUND_TIMEOUTS, silent, (error) => (refused = error));
    try {
      expect((await eventually(async () => refused)).message).to.equal(database.refusal());
      const failed = await database.db
        .collection('connect_test')
        .insertOne({})
        .catch((error: Error) => error);
      expect(failed).to.be.instanceOf(Error);
      expect(insertsOf(proxy)).to.deep.equal([]);
    } finally {
      await database.close();
    }
  });

  it('opens collections before the deployment is known, and then writes with its write concern', async () => {
    const { proxy, url } = await behind('as it is');
    const database = openDatabase(url, BACKGROUND_TIMEOUTS, silent);
    try {
      const collection = database.db.collection<{ _id: string }>('connect_test');
      await eventually(async () => database.deployment());
      await collection.insertOne({ _id: randomId() });
      expect(insertsOf(proxy)).to.deep.equal([{ w: 1, j: true }]);
    } finally {
      await database.close();
    }
  });

  it('reads from the primary, and with majority read concern for responses that promise durability', async () => {
    const { proxy, url } = await behind('replica set', '?readPreference=secondaryPreferred&readConcernLevel=available');
    const { db, close } = await connectDatabase(url, BACKGROUND_TIMEOUTS);
    try {
      const collections = collectionsOf(db);
      await setUpDatabase(collections);
      const inserter = createRunInserter(collections);
      const run = aTestRun();
      await inserter.insert(run, Infinity);
      const again = await inserter.insert(run, Infinity).catch((error: unknown) => error);
      expect(again).to.be.instanceOf(DuplicateRunError);
      await collections.runs.findOne({ _id: run._id });
      proxy.commands.push({ name: 'marker', body: {} });
      expect(await inserter.find(run._id, Infinity)).to.include({ _id: run._id });
      const things = db.collection<{ _id: string; creation?: string }>('connect_test');
      const thing = { _id: randomId(), creation: 'a' };
      await insertOnce(things, thing);
      expect((await insertOnce(things, thing)).isNew).to.equal(false);
      const marker = proxy.commands.findIndex(({ name }) => name === 'marker');
      const levels = (of: typeof proxy.commands) =>
        of
          .filter(({ name, body }) => name === 'find' && ['runs', 'connect_test'].includes(body.find))
          .map(({ body }) => body.readConcern?.level);
      expect(levels(proxy.commands.slice(0, marker))).to.deep.equal(['local']);
      expect(levels(proxy.commands.slice(marker))).to.deep.equal(['majority', 'majority']);
      const sent = proxy.commands.filter(({ name }) => name !== 'marker');
      expect(sent.map(weaknessOf).filter(Boolean)).to.deep.equal([]);
    } finally {
      await close();
    }
  });

  it('waits for connections that are slow to open, instead of failing a caller', async () => {
    const link = await startLink('database', Number(serverUrl.port));
    const { db, close } = await connectDatabase(
      `mongodb://127.0.0.1:${link.port}${serverUrl.pathname}`,
      REQUEST_TIMEOUTS,
    );
    try {
      // Opening a connection takes a round trip (600 ms); the driver opens two at a time, so the last lookup gets its
      // connection after 1.2 s, well below the limit on a busy machine too.
      link.delay(300);
      await Promise.all(Array.from({ length: 4 }, () => db.collection('connect_test').findOne({})));
    } finally {
      await close();
      await link.close();
    }
  });

  it('uses the database in the connection string', async () => {
    const nameOf = async (url: string) => {
      const { db, close } = openDatabase(url, BACKGROUND_TIMEOUTS, silent);
      await close();
      return db.databaseName;
    };
    expect(await nameOf('mongodb://user:p%40ss@127.0.0.1:1/shop?w=1')).to.equal('shop');
    expect(await nameOf('mongodb://127.0.0.1:1')).to.equal('runhook');
    expect(await nameOf('mongodb://127.0.0.1:1?w=majority')).to.equal('runhook');
  });
});
