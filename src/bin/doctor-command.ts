import { ConfigError, importConfig, setUpConfig } from '#src/config.js';
import { collectionsOf } from '#src/db/schema/collections.js';
import { connectDatabase, REQUEST_TIMEOUTS } from '#src/db/connection/connect.js';
import type { Check } from '#src/domain/check.js';
import { checkDatabase } from '#src/services/doctor/check-database.js';
import { checkTemporal } from '#src/services/doctor/check-temporal.js';

/** Checks the server's dependencies that are configured in the environment, for `runhook doctor`. */
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
    const remedy =
      'Set the same RUNHOOK_SECRET_KEYS on servers and workers. Generate a key with `openssl rand -base64 32`.';
    return { keys: [], check: { level: 'fail', name, message: problemOf(error), remedy } };
  }
}

async function databaseChecks(env: NodeJS.ProcessEnv, keys: Buffer[]): Promise<Check[]> {
  try {
    return await checkDatabase(setUpConfig(env).mongodbUrl, keys);
  } catch (error) {
    return [{ level: 'fail', name: 'MongoDB', message: problemOf(error), remedy: 'Correct MONGODB_URL.' }];
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

/** Messages of the configuration contain no values. */
function problemOf(error: unknown): string {
  return error instanceof ConfigError ? error.problems.join('; ') : (error as Error).message;
}
