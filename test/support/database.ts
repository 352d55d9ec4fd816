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
  /** Connection string, with the database's name. */
  url: string;
  db: Db;
  collections: Collections;
  clock: Clock;
}

let opened: Promise<TestDatabase & { close(): Promise<void> }> | undefined;

/**
 * A database with our indexes on a real MongoDB, shared by the tests of a file: a test makes documents with ids of its own.
 * @throws Error when this file is not required by Mocha: such a test belongs to a level that does
 */
export function testDatabase(): Promise<TestDatabase> {
  return (opened ??= open());
}

/** For a `before`: many databases are made at the same time, in ms. */
export const DATABASE_TIMEOUT_MS = 60_000;

/** Where Mocha's first process tells those that it starts which server is theirs. */
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
  // As the product's own connections have it (src/db/connection/connect.ts).
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

/** Once for all files, in Mocha's first process: one server. Without a warm cache it has to be got first. */
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
