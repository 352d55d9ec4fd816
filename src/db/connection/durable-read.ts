import { setTimeout as sleep } from 'node:timers/promises';
import type { Collection, Filter, ReadConcernLike } from 'mongodb';
import { UnavailableError } from '#src/domain/errors.js';

const LOOK_AGAIN_MS = 20;
const GIVE_UP_MS = 2000;
const RETRY_AFTER_SECONDS = 1;

/**
 * The read concern for an answer that promises durability: only what a majority has, so that no failover takes it back.
 * A standalone server has no majority to ask.
 */
export function durableRead<T extends object>({ writeConcern }: Collection<T>): ReadConcernLike {
  return { level: writeConcern?.w === 'majority' ? 'majority' : 'local' };
}

/**
 * The document as a majority has it, for an answer that says that it exists.
 * @returns null when there is none. @throws UnavailableError when it still has no majority after 2 s, or the driver's error
 */
export async function findDurable<T extends { _id: string }>(
  collection: Collection<T>,
  _id: string,
): Promise<T | null> {
  const filter = { _id } as Filter<T>;
  for (const giveUpAt = performance.now() + GIVE_UP_MS; performance.now() < giveUpAt; await sleep(LOOK_AGAIN_MS)) {
    const found = (await collection.findOne(filter, { readConcern: durableRead(collection) })) as T | null;
    // Inserted a moment ago by another call: the majority is about to have it, or a failover to remove it.
    if (found || !(await collection.findOne(filter, { projection: { _id: 1 } }))) return found;
  }
  throw new UnavailableError('The database is unavailable. Try again.', RETRY_AFTER_SECONDS, { away: 'database' });
}
