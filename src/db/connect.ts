import { MongoClient, type Db, type MongoClientOptions } from 'mongodb';
import type { Logger } from '../logger.js';

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

function options(timeouts: DatabaseTimeouts): MongoClientOptions {
  return {
    appName: 'runhook',
    writeConcern: { w: 'majority', journal: true },
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
}

/**
 * A database that need not be there yet: connects in the background until it succeeds (the driver gives up for good
 * after a failed first connect) and answers operations with an error until then.
 * @param url MongoDB connection string; its path names the database (`runhook` without one).
 */
export function openDatabase(url: string, timeouts: DatabaseTimeouts, log: Logger): Database {
  const client = new MongoClient(url, options(timeouts));
  const closed = new AbortController();
  client.once('close', () => closed.abort());
  void keepConnecting(client, closed.signal, log);
  return { client, db: client.db(databaseName(url)) };
}

async function keepConnecting(client: MongoClient, closed: AbortSignal, log: Logger): Promise<void> {
  for (let waitMs = 250; !closed.aborted; waitMs = Math.min(2 * waitMs, 2000)) {
    try {
      await client.connect();
      return;
    } catch (error) {
      log.warn({ err: error }, 'MongoDB cannot be reached; trying again');
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
}

/**
 * Connects and waits for success.
 * @throws the driver's MongoServerSelectionError when the database does not answer in time.
 */
export async function connectDatabase(url: string, timeouts: DatabaseTimeouts): Promise<Database> {
  const client = new MongoClient(url, options(timeouts));
  await client.connect();
  return { client, db: client.db(databaseName(url)) };
}

function databaseName(url: string): string {
  const path = /^mongodb(?:\+srv)?:\/\/[^/]*\/([^?]*)/.exec(url)?.[1];
  return path ? decodeURIComponent(path) : 'runhook';
}
