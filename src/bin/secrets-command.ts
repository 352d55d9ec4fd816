import { secretsConfig } from '#src/config.js';
import { collectionsOf } from '#src/db/schema/collections.js';
import { BACKGROUND_TIMEOUTS, connectDatabase } from '#src/db/connection/connect.js';
import { rotateSecrets } from '#src/services/variables/rotate-secrets.js';

/**
 * `runhook secrets rotate`: re-encrypts all secrets at rest with the newest of RUNHOOK_SECRET_KEYS, and prints counts.
 * @returns the exit status: 1 if some could not be re-encrypted
 * @throws ConfigError
 */
export async function rotateSecretsCommand(env: NodeJS.ProcessEnv): Promise<0 | 1> {
  const { mongodbUrl, secretKeys } = secretsConfig(env);
  const { db, close } = await connectDatabase(mongodbUrl, BACKGROUND_TIMEOUTS);
  try {
    const places = await rotateSecrets(collectionsOf(db), secretKeys);
    for (const { name, resealed, upToDate, failed } of places) {
      console.log(`${name}: ${resealed} re-encrypted, ${upToDate} already encrypted with the newest key`);
      for (const { id, reason } of failed) console.error(`  ${id}: ${reason}`);
    }
    const hasFailed = places.some(({ failed }) => failed.length > 0);
    console.log(
      hasFailed
        ? 'Some secrets could not be re-encrypted. Keep the older keys, fix the problems above, and run this command again.'
        : 'When all servers and workers use the newest key first, run this command again. Then you can remove the older keys.',
    );
    return hasFailed ? 1 : 0;
  } finally {
    await close();
  }
}
