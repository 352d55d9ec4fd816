import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient, type Db } from 'mongodb';
import { collectionsOf, type Collections } from '#src/db/schema/collections.js';
import { createDatabaseClock, databaseTime } from '#src/db/connection/database-clock.js';
import { setUpDatabase } from '#src/db/schema/set-up.js';
import type { Clock } from '#src/domain/clock.js';
import { startMongodb } from '#tools/stack/servers/run-mongodb.js';

export interface TestDatabase {
  /** Connection string with the database's name. */
  url: string;
  db: Db;
  collections: Collections;
  clock: Clock;
}

let opened: Promise<TestDatabase & { close(): Promise<void> }> | undefined;

/**
 * A real database with Runhook's indexes, shared by the tests of a file, which must use unique ids.
 * @throws Error when Mocha does not require this file
 */
export function testDatabase(): Promise<TestDatabase> {
  return (opened ??= open());
}

/** For `before`: many databases are created at the same time. */
export const DATABASE_TIMEOUT_MS = 60_000;

/** Passes the server's address from Mocha's main process to its workers. */
const SERVER = 'RUNHOOK_TEST_MONGODB';
let databases = 0;

async function open() {
  const server = process.env[SERVER];
  if (!server)
    throw new Error(
      'A test with a database needs `--require ./test/support/database.ts`, as its .mocharc.json has it.',
    );
  const url = new URL(server);
  url.pathname = `/test-${process.pid}-${++databases}`;
  // The same options as src/db/connection/connect.ts.
  const client = await new MongoClient(url.href, { ignoreUndefined: true }).connect();
  const db = client.db();
  const collections = collectionsOf(db);
  await setUpDatabase(collections);
  const clock = createDatabaseClock(() => databaseTime(db));
  await clock.read();
  return {
    url: url.href,
    db,
    collections,
    clock,
    async close() {
      await db.dropDatabase();
      await client.close();
    },
  };
}

/** Mocha's root hooks (`require` in .mocharc.json): after the last test, in parallel mode of each file. */
export const mochaHooks = {
  async afterAll(this: Mocha.Context) {
    this.timeout(30_000);
    const closing = opened;
    opened = undefined;
    await (await closing)?.close();
  },
};

let stop: (() => Promise<void>) | undefined;

/** One server for all files, started in Mocha's main process; downloaded first without a warm cache. */
export async function mochaGlobalSetup(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'runhook-database-'));
  const server = await startMongodb({ dataDir: join(folder, 'data') });
  process.env[SERVER] = server.url;
  stop = async () => {
    await server.stop();
    await rm(folder, { recursive: true });
  };
}

export async function mochaGlobalTeardown(): Promise<void> {
  await stop?.();
}
