import { setTimeout as sleep } from 'node:timers/promises';
import { MongoServerError, type Collection, type IndexDescription } from 'mongodb';

const REPORT_EVERY_MS = 15_000;
const LOOK_AGAIN_MS = 2000;
const NAMESPACE_NOT_FOUND = 26;

/** What builds indexes of a collection. */
type Indexed = Pick<Collection, 'collectionName' | 'listIndexes' | 'createIndexes'>;

export interface BuildOptions {
  /** Called with a line for people: before a build, regularly during it, and after it. */
  onProgress?: (line: string) => void;
  reportEveryMs?: number;
  lookAgainMs?: number;
}

/**
 * Builds the indexes that a collection lacks. Safe to repeat, and to call while another process builds the same ones:
 * then it waits for them. A build may take hours: the connection needs to have no socket timeout.
 * @throws the driver's error
 */
export async function buildIndexes(
  collection: Indexed,
  descriptions: IndexDescription[],
  { onProgress = () => {}, reportEveryMs = REPORT_EVERY_MS, lookAgainMs = LOOK_AGAIN_MS }: BuildOptions = {},
): Promise<void> {
  const lacking = await lackingIndexes(collection, descriptions);
  if (lacking.length === 0) return;
  const names = `${collection.collectionName}: ${lacking.map(nameOf).join(', ')}`;
  const began = performance.now();
  const seconds = () => `${Math.round((performance.now() - began) / 1000)} s`;
  onProgress(`Building indexes on ${names}`);
  const timer = setInterval(() => onProgress(`Still building indexes on ${names} (${seconds()})`), reportEveryMs);
  try {
    for (;;) {
      try {
        await collection.createIndexes(lacking);
        break;
      } catch (error) {
        if (!isBeingBuilt(error)) throw error;
        await sleep(lookAgainMs);
      }
    }
    onProgress(`Built indexes on ${collection.collectionName} in ${seconds()}`);
  } finally {
    clearInterval(timer);
  }
}

/** Another process builds them, or some of them, at this moment. */
function isBeingBuilt(error: unknown): boolean {
  return error instanceof MongoServerError && error.codeName === 'IndexBuildAlreadyInProgress';
}

/** Those of the indexes that a collection does not have. @throws the driver's error */
export async function lackingIndexes(
  collection: Pick<Collection, 'listIndexes'>,
  descriptions: IndexDescription[],
): Promise<IndexDescription[]> {
  const existing = (await collection.listIndexes().toArray().catch(noneWithoutCollection)) as IndexDescription[];
  const has = (one: IndexDescription) =>
    existing.some(({ name, key }) => (one.name ? name === one.name : JSON.stringify(key) === JSON.stringify(one.key)));
  return descriptions.filter((one) => !has(one));
}

/** As MongoDB names an index that has no name of its own. */
export function nameOf({ name, key }: IndexDescription): string {
  return name ?? Object.entries(key).flat().join('_');
}

function noneWithoutCollection(error: { code?: number }): [] {
  if (error.code === NAMESPACE_NOT_FOUND) return [];
  throw error;
}
