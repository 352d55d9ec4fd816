import { setTimeout as sleep } from 'node:timers/promises';
import type { Collection, Filter, ReadConcernLike } from 'mongodb';
import { UnavailableError } from '#src/domain/errors.js';

const POLL_MS = 20;
const GIVE_UP_MS = 2000;
const RETRY_AFTER_SECONDS = 1;

/** The read concern for responses that promise durability: a failover cannot roll back what a majority has. */
export function durableRead<T extends object>({ writeConcern }: Collection<T>): ReadConcernLike {
  return { level: writeConcern?.w === 'majority' ? 'majority' : 'local' };
}

/**
 * The majority-committed document, for a response that reports its existence.
 * @returns null when it does not exist. @throws UnavailableError when it is not committed after 2 s, or the driver's error
 */
export async function findDurable<T extends { _id: string }>(
  collection: Collection<T>,
  _id: string,
): Promise<T | null> {
  const filter = { _id } as Filter<T>;
  for (const giveUpAt = performance.now() + GIVE_UP_MS; performance.now() < giveUpAt; await sleep(POLL_MS)) {
    const found = (await collection.findOne(filter, { readConcern: durableRead(collection) })) as T | null;
    // Just inserted by another call: it will be majority-committed, or rolled back by a failover.
    if (found || !(await collection.findOne(filter, { projection: { _id: 1 } }))) return found;
  }
  throw new UnavailableError('The database is unavailable. Try again.', RETRY_AFTER_SECONDS, {
    dependency: 'database',
  });
}
