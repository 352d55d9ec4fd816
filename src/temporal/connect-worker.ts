import { setTimeout as sleep } from 'node:timers/promises';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { NativeConnection } from '@temporalio/worker';
import type { Logger } from '../logger.js';

/**
 * A worker's connection, from the same environment as the client's. It fails at once while Temporal is down, so it is
 * tried until it succeeds, with a line in the log each time.
 */
export async function connectWorker(log: Logger): Promise<{ connection: NativeConnection; namespace: string }> {
  const { connectionOptions, namespace = 'default' } = loadClientConnectConfig();
  for (let waitMs = 250; ; waitMs = Math.min(2 * waitMs, 5000)) {
    try {
      return { connection: await NativeConnection.connect(connectionOptions), namespace };
    } catch (error) {
      log.warn({ err: error, address: connectionOptions.address }, 'Temporal cannot be reached; trying again');
      await sleep(waitMs);
    }
  }
}
