import { collectionsOf } from '../../db/collections.js';
import { connectDatabase, RefusedUrlError, type Database, type DatabaseTimeouts } from '../../db/connect.js';
import { missingIndexes } from '../../db/set-up.js';
import type { Check } from '../../domain/check.js';
import { open } from '../../domain/secret-box.js';

const TIMEOUTS: DatabaseTimeouts = { serverSelectionMs: 3000, waitQueueMs: 3000, socketMs: 10_000 };
const READ_MS = 5000;
const name = 'MongoDB';
const WRITES = 'MongoDB writes';

/**
 * Looks at MongoDB: whether it answers, keeps what it acknowledged, has our indexes, and whether our keys open its secrets.
 * @param keys of RUNHOOK_SECRET_KEYS; none, they are not tried
 */
export async function checkDatabase(url: string, keys: readonly Buffer[]): Promise<Check[]> {
  const database = await connectDatabase(url, TIMEOUTS).catch((error: Error) => error);
  if (database instanceof RefusedUrlError) return [writes(database.message)];
  if (database instanceof Error) {
    const remedy = 'Check that it runs, that this machine can reach it, and MONGODB_URL.';
    return [{ level: 'fail', name, message: `it does not answer (${database.name})`, remedy }];
  }
  try {
    return await lookAtDatabase(database, keys);
  } finally {
    await database.close();
  }
}

/** The same of a database that is open. @throws the driver's error when it does not answer */
export async function lookAtDatabase(
  { db, deployment, refusal }: Pick<Database, 'db' | 'deployment' | 'refusal'>,
  keys: readonly Buffer[],
): Promise<Check[]> {
  const refused = refusal();
  if (refused !== undefined) return [writes(refused)];
  const collections = collectionsOf(db);
  const missing = await missingIndexes(collections);
  const checks: Check[] = [
    { level: 'ok', name, message: 'it answers' },
    {
      level: 'ok',
      name: WRITES,
      message:
        deployment() === 'standalone'
          ? 'acknowledged when the journal has them (standalone server)'
          : 'acknowledged when the journals of a majority have them',
    },
    missing.length > 0
      ? { level: 'fail', name: 'Indexes', message: `missing: ${missing.join(', ')}`, remedy: 'runhook setup' }
      : { level: 'ok', name: 'Indexes', message: 'all there' },
  ];
  if (keys.length > 0) checks.push(await checkKeys(collections, keys));
  return checks;
}

const writes = (message: string): Check => ({ level: 'fail', name: WRITES, message, remedy: 'Correct MONGODB_URL.' });

/** Tries a stored secret of every project’s tokens that is still in use: the newest ones. */
async function checkKeys({ webhookTokens }: ReturnType<typeof collectionsOf>, keys: readonly Buffer[]): Promise<Check> {
  const name = 'Stored secrets';
  const tokens = await webhookTokens
    .find({ revokedAt: { $exists: false } }, { projection: { encrypted: 1 }, limit: 1000, maxTimeMS: READ_MS })
    .toArray();
  const closed = tokens.filter(({ encrypted }) => !opens(keys, encrypted)).length;
  if (closed === 0) return { level: 'ok', name, message: `${tokens.length} looked at, all can be opened` };
  const remedy = 'Add the key that they were sealed with to RUNHOOK_SECRET_KEYS, after the newest, on every machine.';
  return { level: 'fail', name, message: `${closed} of ${tokens.length} cannot be opened with these keys`, remedy };
}

function opens(keys: readonly Buffer[], sealed: string): boolean {
  try {
    open(keys, sealed);
    return true;
  } catch {
    return false;
  }
}
