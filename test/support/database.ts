import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient, type Db } from 'mongodb';
import { collectionsOf, type Collections } from '../../src/db/collections.js';
import { setUpDatabase } from '../../src/db/set-up.js';
import { startMongodb } from '../../src/dev/servers/run-mongodb.js';

export interface TestDatabase {
  /** Connection string, with the database's name. */
  url: string;
  db: Db;
  collections: Collections;
}

let opened: Promise<TestDatabase & { close(): Promise<void> }> | undefined;

/** A real MongoDB with our indexes, shared by tests: a test makes documents with ids of its own. */
export function testDatabase(): Promise<TestDatabase> {
  return (opened ??= open());
}

/** For a `before`: without a warm cache the server has to be got first, in ms. */
export const DATABASE_TIMEOUT_MS = 600_000;

async function open() {
  const folder = await mkdtemp(join(tmpdir(), 'runhook-database-'));
  const server = await startMongodb({ dataDir: join(folder, 'data') });
  const client = await new MongoClient(server.url).connect();
  const collections = collectionsOf(client.db());
  await setUpDatabase(collections);
  return {
    url: server.url,
    db: client.db(),
    collections,
    async close() {
      await client.close();
      await server.stop();
      await rm(folder, { recursive: true });
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
