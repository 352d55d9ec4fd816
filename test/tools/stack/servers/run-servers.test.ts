import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { expect } from 'chai';
import { BACKGROUND_TIMEOUTS, connectDatabase } from '#src/db/connection/connect.js';
import { startMongodb } from '#tools/stack/servers/run-mongodb.js';
import { startTemporal } from '#tools/stack/servers/run-temporal.js';

/** Without a warm cache, servers are downloaded first. */
const TIMEOUT_MS = 600_000;

describe('servers of the local stack', function () {
  this.timeout(TIMEOUT_MS);
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'runhook-servers-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  it('MongoDB keeps acknowledged writes after SIGKILLs, on the same port', async () => {
    const dataDir = join(folder, 'mongodb');
    let server = await startMongodb({ dataDir });
    const { port, url } = server;
    // With Runhook's write concern. Others lose a write only occasionally, hence the rounds.
    const { client, db } = await connectDatabase(url, BACKGROUND_TIMEOUTS);
    const things = db.collection<{ _id: number }>('things');
    try {
      for (let round = 0; round < 6; round++) {
        await things.insertOne({ _id: round });
        process.kill(server.pid, 'SIGKILL');
        expect(await server.child.exited).to.equal('SIGKILL');
        server = await startMongodb({ dataDir, port });
        expect(server.url).to.equal(url);
        expect(await things.countDocuments({})).to.equal(round + 1);
      }
    } finally {
      await client.close();
      await server.stop();
    }
  });

  it('Temporal keeps its workflows after a SIGKILL, on the same ports, and serves its UI', async () => {
    const dataFile = join(folder, 'temporal.sqlite');
    const first = await startTemporal({ dataFile });
    const connection = Connection.lazy({ address: first.address });
    const client = new Client({ connection });
    await client.workflow.start('any', { workflowId: 'kept', taskQueue: 'nobody' });
    process.kill(first.pid, 'SIGKILL');
    await first.child.exited;
    const second = await startTemporal({ dataFile, port: first.port, uiPort: first.uiPort });
    try {
      expect((await client.workflow.getHandle('kept').describe()).status.name).to.equal('RUNNING');
      expect((await fetch(second.uiUrl)).status).to.equal(200);
    } finally {
      await connection.close();
      await second.stop();
    }
  });

  it('report a port that is in use, instead of using the other server', async () => {
    const running = await startMongodb({ dataDir: join(folder, 'one') });
    try {
      const error = await startMongodb({ dataDir: join(folder, 'two'), port: running.port }).catch(String);
      expect(error).to.equal(`Error: Port ${running.port} on 127.0.0.1 is in use. Stop the process that uses it.`);
    } finally {
      await running.stop();
    }
  });

  it('report how they exited if they cannot start', async () => {
    const broken = { kind: 'mongod', path: '/bin/false', origin: 'a test' } as const;
    const ended = await startMongodb({ dataDir: join(folder, 'two'), found: broken }).catch(String);
    expect(ended).to.match(/Waiting for MongoDB on port \d+: exited \(exit code 1\)/);
  });
});
