import type { RunStatus } from '#src/domain/runs/run-status.js';
import type { Collections } from '#src/db/schema/collections.js';

/** A started test run of a suite run. */
export interface Slot {
  name: string;
  status: RunStatus;
  startedAt: Date;
  endedAt?: Date;
}

/**
 * The started test runs of a suite run, in the suite's order.
 * @throws the driver's error when the database does not answer in time
 */
export async function suiteSlots({ runs }: Pick<Collections, 'runs'>, suiteRunId: string): Promise<Slot[]> {
  const projection = { _id: 0, name: '$targetName', status: 1, startedAt: 1, endedAt: 1 };
  return runs
    .find<Slot>({ suiteRunId, startedAt: { $exists: true } }, { projection, hint: 'suite_tests', maxTimeMS: 2000 })
    .sort({ position: 1 })
    .toArray();
}
