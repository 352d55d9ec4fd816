import { ConfigError, importConfig, setUpConfig } from '../config.js';
import { collectionsOf } from '../db/collections.js';
import { connectDatabase, REQUEST_TIMEOUTS } from '../db/connect.js';
import type { Check } from '../domain/check.js';
import { checkDatabase } from '../services/doctor/check-database.js';
import { checkTemporal } from '../services/doctor/check-temporal.js';

/** The server's dependencies as far as the environment names them, for `runhook doctor`. */
export async function doctorCommand(env: NodeJS.ProcessEnv): Promise<Check[]> {
  const keys = env.RUNHOOK_SECRET_KEYS || env.MONGODB_URL ? secretKeys(env) : undefined;
  const checks: Check[] = keys ? [keys.check] : [];
  if (env.MONGODB_URL) checks.push(...(await databaseChecks(env, keys?.keys ?? [])));
  if (env.TEMPORAL_ADDRESS) checks.push(...(await temporalChecks(env)));
  return checks;
}

function secretKeys(env: NodeJS.ProcessEnv): { keys: Buffer[]; check: Check } {
  const name = 'Secret keys';
  try {
    const { secretKeys: keys } = importConfig(env);
    return { keys, check: { level: 'ok', name, message: `${keys.length} in RUNHOOK_SECRET_KEYS` } };
  } catch (error) {
    const remedy = 'Give server and workers the same RUNHOOK_SECRET_KEYS: openssl rand -base64 32 makes one.';
    return { keys: [], check: { level: 'fail', name, message: problemOf(error), remedy } };
  }
}

async function databaseChecks(env: NodeJS.ProcessEnv, keys: Buffer[]): Promise<Check[]> {
  try {
    return await checkDatabase(setUpConfig(env).mongodbUrl, keys);
  } catch (error) {
    return [{ level: 'fail', name: 'MongoDB', message: problemOf(error), remedy: 'Mend MONGODB_URL.' }];
  }
}

async function temporalChecks(env: NodeJS.ProcessEnv): Promise<Check[]> {
  if (!env.MONGODB_URL) return checkTemporal();
  const database = await connectDatabase(env.MONGODB_URL, REQUEST_TIMEOUTS).catch(() => undefined);
  if (!database) return checkTemporal();
  try {
    return await checkTemporal(collectionsOf(database.db));
  } finally {
    await database.close();
  }
}

/** Messages of the configuration hold no values. */
function problemOf(error: unknown): string {
  return error instanceof ConfigError ? error.problems.join('; ') : (error as Error).message;
}
