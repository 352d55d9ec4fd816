import { MongoClient } from 'mongodb';
import { pino } from 'pino';
import { collectionsOf, type Collections } from '#src/db/schema/collections.js';
import { createRunChanges } from '#src/db/runs/run-changes.js';
import { createLogReads } from '#src/db/runs/run-logs.js';
import { createLiveStreams } from '#src/server/live/live-streams.js';
import { createStreamRights } from '#src/services/live/stream-rights.js';
import { createLive } from '#src/services/live/live.js';
import { createRunReader } from '#src/services/runs/run-reader.js';
import { createRunServices } from '#src/services/runs/run-services.js';
import { createStatsServices } from '#src/services/stats/stats-services.js';
import { apiServer } from './api-server.js';
import { testDatabase } from '#test/support/database.js';
import { aClock } from '#test/builders/clock.js';

export interface LiveServer {
  url: string;
  collections: Collections;
  /** Database commands so far, by `name collection`. */
  commands: string[];
  close(): Promise<void>;
}

/** A listening server of run pages, with its own connections to the shared database. */
export async function liveServer({ streams = 1000 } = {}): Promise<LiveServer> {
  const { url } = await testDatabase();
  const client = await new MongoClient(url, { monitorCommands: true, ignoreUndefined: true }).connect();
  const commands: string[] = [];
  client.on('commandStarted', ({ commandName, command }) => commands.push(`${commandName} ${command[commandName]}`));
  const collections = collectionsOf(client.db());
  const log = pino({ level: 'silent' });
  const live = createLive({
    changes: createRunChanges(collections),
    logs: createLogReads(collections.runLogs),
    clock: aClock(),
    log,
  });
  const unused = async () => {
    throw new Error('not part of this test');
  };
  const server = await apiServer(collections, (services) => ({
    reader: createRunReader(collections),
    stats: createStatsServices(collections, aClock()),
    runs: createRunServices({
      ...services,
      trigger: { byApi: unused },
      cancel: async () => false,
      isDraining: () => false,
    }),
    streams: createLiveStreams({
      live,
      log,
      maxStreams: streams,
      rights: createStreamRights(collections, services.clock, { sessionMaxMs: 24 * 3_600_000 }),
    }),
  }));
  await server.start();
  return {
    url: server.info.uri,
    collections,
    commands,
    async close() {
      await server.stop({ timeout: 1000 });
      live.close();
      await client.close();
    },
  };
}
