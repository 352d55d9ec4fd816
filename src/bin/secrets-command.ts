import { secretsConfig } from '../config.js';
import { collectionsOf } from '../db/collections.js';
import { BACKGROUND_TIMEOUTS, connectDatabase } from '../db/connect.js';
import { rotateSecrets } from '../services/rotate-secrets.js';

/**
 * `runhook secrets rotate`: seals every secret at rest with the newest of RUNHOOK_SECRET_KEYS, and says how many of each.
 * @returns the exit status: 1 when some could not be
 * @throws ConfigError
 */
export async function rotateSecretsCommand(env: NodeJS.ProcessEnv): Promise<0 | 1> {
  const { mongodbUrl, secretKeys } = secretsConfig(env);
  const { db, close } = await connectDatabase(mongodbUrl, BACKGROUND_TIMEOUTS);
  try {
    const places = await rotateSecrets(collectionsOf(db), secretKeys);
    for (const { name, resealed, upToDate, failed } of places) {
      console.log(`${name}: ${resealed} sealed with the newest key, ${upToDate} were so already`);
      for (const { id, reason } of failed) console.error(`  ${id}: ${reason}`);
    }
    const hasFailed = places.some(({ failed }) => failed.length > 0);
    console.log(
      hasFailed
        ? 'Some could not be. Keep the older keys, correct the above and run this again.'
        : 'Once all servers and workers run with the newest key first, run this again; then the older keys can go.',
    );
    return hasFailed ? 1 : 0;
  } finally {
    await close();
  }
}
