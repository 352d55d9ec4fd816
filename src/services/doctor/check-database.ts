import { collectionsOf } from '#src/db/schema/collections.js';
import { connectDatabase, RefusedUrlError, type Database, type DatabaseTimeouts } from '#src/db/connection/connect.js';
import { missingIndexes } from '#src/db/schema/set-up.js';
import type { Check } from '#src/domain/check.js';
import { open } from '#src/domain/variables/secret-box.js';

const TIMEOUTS: DatabaseTimeouts = { serverSelectionMs: 3000, waitQueueMs: 3000, socketMs: 10_000 };
const READ_MS = 5000;
const name = 'MongoDB';
const WRITES = 'MongoDB writes';

/**
 * Checks MongoDB: that it responds, keeps acknowledged writes, has all indexes, and that the keys decrypt its secrets.
 * @param keys of RUNHOOK_SECRET_KEYS; empty: secrets are not checked
 */
export async function checkDatabase(url: string, keys: readonly Buffer[]): Promise<Check[]> {
  const database = await connectDatabase(url, TIMEOUTS).catch((error: Error) => error);
  if (database instanceof RefusedUrlError) return [writes(database.message)];
  if (database instanceof Error) {
    const remedy = 'Check that MongoDB is running and reachable from this machine, and that MONGODB_URL is correct.';
    return [{ level: 'fail', name, message: `not responding (${database.name})`, remedy }];
  }
  try {
    return await checkOpenDatabase(database, keys);
  } finally {
    await database.close();
  }
}

/** Checks an open database. @throws the driver's error when it does not respond */
export async function checkOpenDatabase(
  { db, deployment, refusal }: Pick<Database, 'db' | 'deployment' | 'refusal'>,
  keys: readonly Buffer[],
): Promise<Check[]> {
  const refused = refusal();
  if (refused !== undefined) return [writes(refused)];
  const collections = collectionsOf(db);
  const missing = await missingIndexes(collections);
  const checks: Check[] = [
    { level: 'ok', name, message: 'responding' },
    {
      level: 'ok',
      name: WRITES,
      message:
        deployment() === 'standalone'
          ? 'acknowledged when journaled (standalone server)'
          : 'acknowledged when journaled by a majority',
    },
    missing.length > 0
      ? { level: 'fail', name: 'Indexes', message: `missing: ${missing.join(', ')}`, remedy: 'runhook setup' }
      : { level: 'ok', name: 'Indexes', message: 'complete' },
  ];
  if (keys.length > 0) checks.push(await checkKeys(collections, keys));
  return checks;
}

const writes = (message: string): Check => ({ level: 'fail', name: WRITES, message, remedy: 'Correct MONGODB_URL.' });

/** Tries to decrypt up to 1,000 webhook tokens that are not revoked. */
async function checkKeys({ webhookTokens }: ReturnType<typeof collectionsOf>, keys: readonly Buffer[]): Promise<Check> {
  const name = 'Stored secrets';
  const tokens = await webhookTokens
    .find({ revokedAt: { $exists: false } }, { projection: { encrypted: 1 }, limit: 1000, maxTimeMS: READ_MS })
    .toArray();
  const unreadable = tokens.filter(({ encrypted }) => !canDecrypt(keys, encrypted)).length;
  if (unreadable === 0) return { level: 'ok', name, message: `${tokens.length} checked, all can be decrypted` };
  const remedy = 'Add the key they were encrypted with to RUNHOOK_SECRET_KEYS, after the newest key, on every machine.';
  return {
    level: 'fail',
    name,
    message: `${unreadable} of ${tokens.length} cannot be decrypted with these keys`,
    remedy,
  };
}

function canDecrypt(keys: readonly Buffer[], sealed: string): boolean {
  try {
    open(keys, sealed);
    return true;
  } catch {
    return false;
  }
}
