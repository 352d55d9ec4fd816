import { setTimeout as sleep } from 'node:timers/promises';
import { MongoServerError, type Collection, type IndexDescription } from 'mongodb';

const REPORT_EVERY_MS = 15_000;
const POLL_MS = 2000;
const NAMESPACE_NOT_FOUND = 26;

type Indexed = Pick<Collection, 'collectionName' | 'listIndexes' | 'createIndexes'>;

export interface BuildOptions {
  /** Called with a line of text before, regularly during, and after a build. */
  onProgress?: (line: string) => void;
  reportEveryMs?: number;
  pollMs?: number;
}

/**
 * Builds the missing indexes of a collection. Safe to repeat. Waits while another process builds the same indexes.
 * A build may take hours, so the connection must have no socket timeout.
 * @throws the driver's error
 */
export async function buildIndexes(
  collection: Indexed,
  descriptions: IndexDescription[],
  { onProgress = () => {}, reportEveryMs = REPORT_EVERY_MS, pollMs = POLL_MS }: BuildOptions = {},
): Promise<void> {
  const missing = await indexesToBuild(collection, descriptions);
  if (missing.length === 0) return;
  const names = `${collection.collectionName}: ${missing.map(nameOf).join(', ')}`;
  const began = performance.now();
  const seconds = () => `${Math.round((performance.now() - began) / 1000)} s`;
  onProgress(`Building indexes on ${names}`);
  const timer = setInterval(() => onProgress(`Still building indexes on ${names} (${seconds()})`), reportEveryMs);
  try {
    for (;;) {
      try {
        await collection.createIndexes(missing);
        break;
      } catch (error) {
        if (!isBeingBuilt(error)) throw error;
        await sleep(pollMs);
      }
    }
    onProgress(`Built indexes on ${collection.collectionName} in ${seconds()}`);
  } finally {
    clearInterval(timer);
  }
}

/** Whether another process is building some of the same indexes. */
function isBeingBuilt(error: unknown): boolean {
  return error instanceof MongoServerError && error.codeName === 'IndexBuildAlreadyInProgress';
}

/** The described indexes that a collection does not have. @throws the driver's error */
export async function indexesToBuild(
  collection: Pick<Collection, 'listIndexes'>,
  descriptions: IndexDescription[],
): Promise<IndexDescription[]> {
  const existing = (await collection.listIndexes().toArray().catch(noneWithoutCollection)) as IndexDescription[];
  const has = (one: IndexDescription) =>
    existing.some(({ name, key }) => (one.name ? name === one.name : JSON.stringify(key) === JSON.stringify(one.key)));
  return descriptions.filter((one) => !has(one));
}

/** The index's own name, or the one that MongoDB generates. */
export function nameOf({ name, key }: IndexDescription): string {
  return name ?? Object.entries(key).flat().join('_');
}

function noneWithoutCollection(error: { code?: number }): [] {
  if (error.code === NAMESPACE_NOT_FOUND) return [];
  throw error;
}
