import type { ServerConfig, WorkerConfig } from '#src/config.js';
import { openDatabase, type RefusedUrlError, type DatabaseTimeouts } from '#src/db/connection/connect.js';
import { createInstallationStore } from '#src/db/instance/installation-store.js';
import { createRunStatusStore } from '#src/db/runs/run-status-store.js';
import { collectionsOf } from '#src/db/schema/collections.js';
import type { Logger } from '#src/lib/logger.js';
import { createTemporalBinding } from '#src/services/instance/temporal-binding.js';
import { openTemporal, type Temporal } from '#src/temporal/connect.js';
import { closeConnection } from '#src/temporal/deadline.js';
import { identityOf } from '#src/temporal/identity.js';

export type SharedContext = ReturnType<typeof createSharedContext>;

/**
 * Dependencies of servers and workers: database, Temporal and the binding between them. Neither needs to be available yet.
 * @param options.onRefused called when the deployment refuses the connection string
 * @param options.temporal for tests
 */
export function createSharedContext(
  config: Pick<ServerConfig | WorkerConfig, 'mongodbUrl' | 'rebindsTemporal'>,
  timeouts: DatabaseTimeouts,
  log: Logger,
  { onRefused, temporal = openTemporal() }: { onRefused?: (error: RefusedUrlError) => void; temporal?: Temporal } = {},
) {
  const database = openDatabase(config.mongodbUrl, timeouts, log, onRefused);
  const collections = collectionsOf(database.db);
  const installations = createInstallationStore(collections);
  return {
    database,
    collections,
    clock: database.clock,
    temporal,
    installations,
    binding: createTemporalBinding({
      temporal,
      identify: () => identityOf(temporal),
      store: installations,
      rebinds: config.rebindsTemporal,
      log,
    }),
    statuses: createRunStatusStore(collections.runs),
    log,
    close: () => Promise.all([database.close(), closeConnection(temporal.connection)]),
  };
}
