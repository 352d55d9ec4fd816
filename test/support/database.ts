import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient, type Db } from 'mongodb';
import { collectionsOf, type Collections } from '../../src/db/collections.js';
import { setUpDatabase } from '../../src/db/set-up.js';
import { startMongodb } from '../../src/dev/servers/run-mongodb.js';

export interface TestDatabase {
  db: Db;
  collections: Collections;
}

let opened: Promise<TestDatabase & { close(): Promise<void> }> | undefined;

/** A real MongoDB with our indexes, one for all unit tests: a test makes documents with ids of its own. */
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
    db: client.db(),
    collections,
    async close() {
      await client.close();
      await server.stop();
      await rm(folder, { recursive: true });
    },
  };
}

// Outside of any describe: after every test of every file.
after(async function () {
  this.timeout(30_000);
  await (await opened)?.close();
});
