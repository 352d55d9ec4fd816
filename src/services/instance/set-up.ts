import type { Collections } from '#src/db/schema/collections.js';
import { createInstallationStore } from '#src/db/instance/installation-store.js';
import { setUpDatabase } from '#src/db/schema/set-up.js';
import type { Temporal } from '#src/temporal/connect.js';
import { identityOf } from '#src/temporal/identity.js';
import { checkNamespace, setUpTemporal } from '#src/temporal/set-up.js';
import { createTemporalBinding } from './temporal-binding.js';

/**
 * Prepares both stores for servers and workers: indexes, namespace check, binding of the database to this Temporal,
 * search attributes, schedules. Idempotent.
 * @param deps.rebinds bind the database to this Temporal even if it was bound to another one
 * @throws WrongTemporalError when it is bound to another one
 */
export async function setUp(deps: {
  collections: Collections;
  temporal: Temporal;
  rebinds?: boolean;
  /** Receives progress messages for the operator. */
  onProgress?: (line: string) => void;
}): Promise<void> {
  const { collections, temporal, rebinds = false } = deps;
  await setUpDatabase(collections, deps.onProgress);
  await checkNamespace(temporal);
  const binding = createTemporalBinding({
    temporal,
    identify: () => identityOf(temporal),
    store: createInstallationStore(collections),
    rebinds,
    log: { warn: () => {} },
  });
  await setUpTemporal(await binding.use());
}
