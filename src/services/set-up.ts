import type { Collections } from '../db/collections.js';
import { setUpDatabase } from '../db/set-up.js';
import type { Temporal } from '../temporal/connect.js';
import { setUpTemporal } from '../temporal/set-up.js';

/** Prepares both stores for servers and workers: indexes, namespace check, search attributes, schedules. Repeatable. */
export async function setUp(deps: { collections: Collections; temporal: Temporal }): Promise<void> {
  await setUpDatabase(deps.collections);
  await setUpTemporal(deps.temporal);
}
