import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { MongoClient } from 'mongodb';
import { lastLines, startChild, type Child } from '#tools/stack/processes/child.js';
import { waitUntil } from '#tools/stack/processes/wait-until.js';
import { checkFree, freePort } from '#tools/stack/ports.js';
import { logToStderr, type Log } from '#tools/stack/log.js';
import { findMongodb, type DataKind, type FoundMongodb } from './find-mongodb.js';

/** Includes time to replay the journal after a crash. */
const READY_MS = 60_000;

export interface MongodbOptions {
  dataDir: string;
  /** Default: any free port. */
  port?: number;
  /** Default: the result of `findMongodb`. */
  found?: Exclude<FoundMongodb, { kind: 'url' }>;
  logFile?: string;
  env?: NodeJS.ProcessEnv;
  /** Stops the process in any state. */
  signal?: AbortSignal;
  log?: Log;
}

export interface RunningMongodb {
  /** Includes the database's name. */
  url: string;
  port: number;
  pid: number;
  child: Child;
  stop(): Promise<void>;
}

/**
 * Starts MongoDB on 127.0.0.1 and waits until it is ready. A restart with the same folder keeps the data, also after a
 * SIGKILL. Ignores MONGODB_URL.
 * @throws Error with the end of its output when it does not become ready
 */
export async function startMongodb(options: MongodbOptions): Promise<RunningMongodb> {
  const { dataDir, env, signal, log = logToStderr, logFile = join(dirname(dataDir), 'logs/mongodb.log') } = options;
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

/** The program that created a data folder; undefined for a new one. */
export function dataKindOf(dataDir: string): DataKind | undefined {
  return existsSync(kindFile(dataDir)) ? (readFileSync(kindFile(dataDir), 'utf8').trim() as DataKind) : undefined;
}

const kindFile = (dataDir: string) => `${dataDir}.kind`;

async function findServer(dataDir: string, log: Log): Promise<Exclude<FoundMongodb, { kind: 'url' }>> {
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
