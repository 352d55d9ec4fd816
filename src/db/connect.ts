import { MongoClient, type Db, type MongoClientOptions } from 'mongodb';
import type { Logger } from '../logger.js';
import { createDatabaseClock, databaseTime, type DatabaseClock } from './database-clock.js';

/** How long each kind of wait for the database may take, in ms. */
export interface DatabaseTimeouts {
  serverSelectionMs: number;
  waitQueueMs: number;
  /** A connection that stays silent this long during an operation is given up (a frozen or black-holed database). */
  socketMs: number;
}

/** For servers: a caller waits for the answer. */
export const REQUEST_TIMEOUTS: DatabaseTimeouts = { serverSelectionMs: 1500, waitQueueMs: 500, socketMs: 3000 };

/** For workers and set-up: nobody waits, long operations are normal. */
export const BACKGROUND_TIMEOUTS: DatabaseTimeouts = { serverSelectionMs: 5000, waitQueueMs: 10_000, socketMs: 30_000 };

/**
 * What an acknowledged write has survived. A standalone server waits for its journal with `w: 1` only: `majority` leaves
 * durability to a replication that it does not have, and a crash then loses acknowledged writes (measured: one in five).
 * What the address itself says (`?w=…`) is left to the driver.
 */
function writeConcernFor(url: string): Pick<MongoClientOptions, 'writeConcern'> {
  if (/[?&]w=/.test(url)) return {};
  return { writeConcern: { w: isOfSeveralServers(url) ? 'majority' : 1, journal: true } };
}

/** Whether the address says that it is a replica set's or a cluster's. */
function isOfSeveralServers(url: string): boolean {
  const hosts = /^mongodb:\/\/(?:[^@/]*@)?([^/?]*)/.exec(url)?.[1] ?? '';
  return url.startsWith('mongodb+srv://') || hosts.includes(',') || /[?&](replicaSet|loadBalanced)=/i.test(url);
}

/**
 * Why writes to this database may be lost although they were acknowledged; undefined when they are not.
 * @throws the driver's error when the database does not answer
 */
export async function durabilityProblem(url: string, { db }: Pick<Database, 'db'>): Promise<string | undefined> {
  if (/[?&]w=/.test(url) || isOfSeveralServers(url)) return undefined;
  const hello = await db.admin().command({ hello: 1 });
  if (!hello.setName && hello.msg !== 'isdbgrid') return undefined;
  return 'MONGODB_URL leads to a replica set or a cluster and does not say so: a write that only one server has may be lost. Add replicaSet=NAME, or w=majority, to it.';
}

function options(url: string, timeouts: DatabaseTimeouts): MongoClientOptions {
  return {
    appName: 'runhook',
    ...writeConcernFor(url),
    serverSelectionTimeoutMS: timeouts.serverSelectionMs,
    waitQueueTimeoutMS: timeouts.waitQueueMs,
    socketTimeoutMS: timeouts.socketMs,
    connectTimeoutMS: 2000,
    heartbeatFrequencyMS: 1000,
    maxPoolSize: 20,
    ignoreUndefined: true,
  };
}

export interface Database {
  client: MongoClient;
  db: Db;
  /** For what orders records or decides something: no process's own clock may. */
  clock: DatabaseClock;
  /** Ends all connections, and the attempts to make the first. */
  close(): Promise<void>;
}

/**
 * A database that need not be there yet: connects in the background until it succeeds (the driver gives up for good
 * after a failed first connect) and answers operations with an error until then.
 * @param url MongoDB connection string; its path names the database (`runhook` without one).
 */
export function openDatabase(url: string, timeouts: DatabaseTimeouts, log: Logger): Database {
  const client = new MongoClient(url, options(url, timeouts));
  const db = client.db(databaseName(url));
  const clock = createDatabaseClock(() => databaseTime(db));
  const closed = new AbortController();
  const close = async () => {
    closed.abort();
    clock.stop();
    await client.close();
  };
  const database = { client, db, clock, close };
  void keepConnecting(url, database, closed.signal, log);
  return database;
}

async function keepConnecting(url: string, database: Database, closed: AbortSignal, log: Logger): Promise<void> {
  for (let waitMs = 250; !closed.aborted; waitMs = Math.min(2 * waitMs, 2000)) {
    try {
      await database.client.connect();
      if (closed.aborted) return await database.client.close();
      database.clock.start();
      const problem = await durabilityProblem(url, database);
      if (problem) log.error(problem);
      return;
    } catch (error) {
      if (closed.aborted) return;
      log.warn({ err: error }, 'MongoDB cannot be reached; trying again');
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
}

/**
 * Connects and waits for success. The clock is read once.
 * @throws the driver's MongoServerSelectionError when the database does not answer in time.
 */
export async function connectDatabase(url: string, timeouts: DatabaseTimeouts): Promise<Database> {
  const client = new MongoClient(url, options(url, timeouts));
  try {
    await client.connect();
    const db = client.db(databaseName(url));
    const clock = createDatabaseClock(() => databaseTime(db));
    await clock.read();
    return { client, db, clock, close: () => client.close() };
  } catch (error) {
    await client.close();
    throw error;
  }
}

function databaseName(url: string): string {
  const path = /^mongodb(?:\+srv)?:\/\/[^/]*\/([^?]*)/.exec(url)?.[1];
  return path ? decodeURIComponent(path) : 'runhook';
}
