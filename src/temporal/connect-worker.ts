import { loadClientConnectConfig } from '@temporalio/envconfig';
import { NativeConnection } from '@temporalio/worker';
import type { Logger } from '#src/lib/logger.js';
import { retry } from '#src/lib/retry.js';

/**
 * A worker's connection, from the same environment as the client's. Retries until it succeeds, because it fails
 * immediately while Temporal is down.
 */
export async function connectWorker(log: Logger): Promise<{ connection: NativeConnection; namespace: string }> {
  const { connectionOptions, namespace = 'default' } = loadClientConnectConfig();
  const connection = await retry(() => NativeConnection.connect(connectionOptions), {
    firstMs: 250,
    longestMs: 5000,
    onFailure: (err) => log.warn({ err, address: connectionOptions.address }, 'Temporal is unavailable; retrying'),
  });
  return { connection, namespace };
}
