import { MongoClient, type Db, type MongoClientOptions } from 'mongodb';
import type { Logger } from '#src/lib/logger.js';
import { retry } from '#src/lib/retry.js';
import { createDatabaseClock, databaseTime, type DatabaseClock } from './database-clock.js';
import { watchDeployment, type Deployment } from './deployment.js';
import { PinnedDb } from './pinned-db.js';
import { weakWriteConcern, withoutConcerns } from './url-concerns.js';

/** In ms. */
export interface DatabaseTimeouts {
  serverSelectionMs: number;
  waitQueueMs: number;
  /** Closes a connection without a response for this long, for example of a frozen server; 0: never. */
  socketMs: number;
}

/**
 * For servers, whose callers wait. `waitQueueMs` includes opening a connection, which takes more than half a second on a
 * busy machine; a shorter timeout made pages with several queries fail with 503.
 */
export const REQUEST_TIMEOUTS: DatabaseTimeouts = { serverSelectionMs: 1500, waitQueueMs: 2000, socketMs: 3000 };

/** For workers, where long operations are normal. */
export const BACKGROUND_TIMEOUTS: DatabaseTimeouts = { serverSelectionMs: 5000, waitQueueMs: 10_000, socketMs: 30_000 };

/** For `runhook setup`: building an index on a large collection may take hours. */
export const SET_UP_TIMEOUTS: DatabaseTimeouts = { ...BACKGROUND_TIMEOUTS, socketMs: 0 };

/** The connection string sets a write concern with which a replica set may lose writes. */
export class RefusedUrlError extends Error {
  override name = 'RefusedUrlError';
}

/** @returns why this connection string is refused for this deployment; undefined if it is accepted */
function refusalOf(url: string, deployment: Deployment | undefined): string | undefined {
  const option = weakWriteConcern(url);
  if (deployment !== 'replicated' || option === undefined) return undefined;
  return `MONGODB_URL contains ${option}, but MongoDB is a replica set or a sharded cluster, where a failover would lose acknowledged runs. Remove ${option} from MONGODB_URL. Runhook writes with w=majority and journal=true.`;
}

function options(timeouts: DatabaseTimeouts): MongoClientOptions {
  return {
    appName: 'runhook',
    // Decisions must not depend on stale secondaries.
    readPreference: 'primary',
    readConcern: { level: 'local' },
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
  /** Use it for every time that orders records or decides something, instead of the process's clock. */
  clock: DatabaseClock;
  /** Undefined until the database has answered. */
  deployment(): Deployment | undefined;
  /** Why the connection string was refused; the database then stays closed, and every operation fails. */
  refusal(): string | undefined;
  /** Closes all connections and stops connecting. */
  close(): Promise<void>;
}

/** A client that is not connected yet. @param onRefused called once, when the connection string is refused */
function databaseOf(url: string, timeouts: DatabaseTimeouts, onRefused: (error: RefusedUrlError) => void): Database {
  const client = new MongoClient(withoutConcerns(url), options(timeouts));
  let refusal: string | undefined;
  const deployment = watchDeployment(client, (found) => {
    const problem = refusalOf(url, found);
    if (refusal !== undefined || problem === undefined) return;
    refusal = problem;
    onRefused(new RefusedUrlError(problem));
  });
  const db = new PinnedDb(client, databaseName(url), deployment);
  const clock = createDatabaseClock(() => databaseTime(db));
  const close = async () => {
    clock.stop();
    await client.close();
  };
  return { client, db, clock, deployment, refusal: () => refusal, close };
}

/**
 * Connects in the background until it succeeds, because the driver gives up after a failed first connect. Until then,
 * operations fail.
 * @param url MongoDB connection string; its path names the database (`runhook` without one).
 * @param onRefused called when the connection string does not fit the deployment; the database is then closed
 */
export function openDatabase(
  url: string,
  timeouts: DatabaseTimeouts,
  log: Logger,
  onRefused: (error: RefusedUrlError) => void = () => {},
): Database {
  const closed = new AbortController();
  const database = databaseOf(url, timeouts, (error) => {
    log.error(error.message);
    void close();
    onRefused(error);
  });
  const close = async () => {
    closed.abort();
    await database.close();
  };
  void keepConnecting(database, closed.signal, log);
  return { ...database, close };
}

async function keepConnecting({ client, clock }: Database, closed: AbortSignal, log: Logger): Promise<void> {
  const connect = async () => {
    if (closed.aborted) return;
    await client.connect();
    if (closed.aborted) await client.close();
    else clock.start();
  };
  await retry(connect, {
    firstMs: 250,
    longestMs: 2000,
    signal: closed,
    onFailure(err) {
      if (!closed.aborted) log.warn({ err }, 'MongoDB is unavailable; retrying');
    },
  }).catch(() => {}); // Closed meanwhile.
}

/**
 * Connects, and reads the database's clock once.
 * @throws RefusedUrlError, or the driver's MongoServerSelectionError when the database does not answer in time
 */
export async function connectDatabase(url: string, timeouts: DatabaseTimeouts): Promise<Database> {
  let refused: RefusedUrlError | undefined;
  const database = databaseOf(url, timeouts, (error) => (refused = error));
  try {
    await database.client.connect();
    if (refused) throw refused;
    await database.clock.read();
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

function databaseName(url: string): string {
  const path = /^mongodb(?:\+srv)?:\/\/[^/]*\/([^?]*)/.exec(url)?.[1];
  return path ? decodeURIComponent(path) : 'runhook';
}
