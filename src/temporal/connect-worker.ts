import { loadClientConnectConfig } from '@temporalio/envconfig';
import { NativeConnection } from '@temporalio/worker';
import type { Logger } from '#src/lib/logger.js';
import { retry } from '#src/lib/retry.js';

/**
 * A worker's connection, from the same environment as the client's. It fails at once while Temporal is down, so it is
 * tried until it succeeds, with a line in the log each time.
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
