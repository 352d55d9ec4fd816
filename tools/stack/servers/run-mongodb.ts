import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { MongoClient } from 'mongodb';
import { lastLines, startChild, type Child } from '#tools/stack/processes/child.js';
import { waitUntil } from '#tools/stack/processes/wait-until.js';
import { checkFree, freePort } from '#tools/stack/ports.js';
import { sayOnStderr, type Say } from '#tools/stack/say.js';
import { findMongodb, type DataKind, type FoundMongodb } from './find-mongodb.js';

/** Opening a folder after a crash replays the journal, in ms. */
const READY_MS = 60_000;

export interface MongodbOptions {
  dataDir: string;
  /** Exactly this port; without it any free one. */
  port?: number;
  /** What to run; found when not given. */
  found?: Exclude<FoundMongodb, { kind: 'url' }>;
  logFile?: string;
  env?: NodeJS.ProcessEnv;
  /** Stops it, in whatever state it is. */
  signal?: AbortSignal;
  log?: Say;
}

export interface RunningMongodb {
  /** With the database's name. */
  url: string;
  port: number;
  /** Of the process that holds the data. */
  pid: number;
  child: Child;
  stop(): Promise<void>;
}

/**
 * Starts a MongoDB on 127.0.0.1 and waits until it answers. Started again with the same folder and port it goes on with
 * the same data, after a SIGKILL too. MONGODB_URL plays no part here.
 * @throws Error with the end of its output when it does not get ready
 */
export async function startMongodb(options: MongodbOptions): Promise<RunningMongodb> {
  const { dataDir, env, signal, log = sayOnStderr, logFile = join(dirname(dataDir), 'logs/mongodb.log') } = options;
  const found = options.found ?? (await findServer(dataDir, log));
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(kindFile(dataDir), found.kind);
  const port = options.port ?? (await freePort());
  await checkFree(port);
  const [command, ...args] = commandOf(found, dataDir, port);
  const child = await startChild({ name: 'MongoDB', command, args, logFile, env, signal });
  const url = `mongodb://127.0.0.1:${port}/runhook`;
  try {
    await waitUntil(`Waiting for MongoDB on port ${port}`, () => ping(url), {
      timeoutMs: READY_MS,
      ended: child.exited,
    });
  } catch (error) {
    await child.stop();
    throw new Error(`${(error as Error).message}\n${lastLines(child)}`, { cause: error });
  }
  return { url, port, pid: child.pid, child, stop: () => child.stop() };
}

/** What wrote a data folder; undefined for a new one. */
export function dataKindOf(dataDir: string): DataKind | undefined {
  return existsSync(kindFile(dataDir)) ? (readFileSync(kindFile(dataDir), 'utf8').trim() as DataKind) : undefined;
}

const kindFile = (dataDir: string) => `${dataDir}.kind`;

async function findServer(dataDir: string, log: Say): Promise<Exclude<FoundMongodb, { kind: 'url' }>> {
  const found = await findMongodb(log, dataKindOf(dataDir), { ...process.env, MONGODB_URL: undefined });
  if (found.kind === 'url') throw new Error('unreachable: MONGODB_URL was not offered');
  return found;
}

function commandOf(
  found: Exclude<FoundMongodb, { kind: 'url' }>,
  dataDir: string,
  port: number,
): [string, ...string[]] {
  if (found.kind === 'engine') return [...found.command, dataDir, String(port)];
  const settings = ['--nounixsocket', '--quiet', '--wiredTigerCacheSizeGB', '0.25'];
  return [found.path, '--dbpath', dataDir, '--port', String(port), '--bind_ip', '127.0.0.1', ...settings];
}

async function ping(url: string): Promise<boolean> {
  const client = new MongoClient(url, {
    serverSelectionTimeoutMS: 1000,
    connectTimeoutMS: 1000,
    socketTimeoutMS: 5000,
  });
  try {
    await client.db().command({ ping: 1 });
    return true;
  } finally {
    await client.close();
  }
}
