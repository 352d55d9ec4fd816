import type { MaintenanceReport } from '#src/db/schema/documents.js';
import type { PendingStarts } from '#src/db/runs/pending-starts.js';
import type { Check } from '#src/domain/check.js';
import type { Readiness, ReadinessCheck } from './check-readiness.js';
import { readWithin } from './read-within.js';

/** Leaves time to render the page within its own deadline. */
const READ_MS = 3500;

/** State of the instance. A value that could not be read is absent. */
export interface InstanceHealth {
  dependencies: Readiness['dependencies'];
  /** The checks of `runhook doctor` for MongoDB and Temporal, and those of pools. */
  checks: Check[];
  /** Accepted runs that have not been started yet. */
  pendingStarts?: { pending: number; oldest?: Date } | undefined;
  /** Reports of the scheduled maintenance jobs. */
  maintenance?: MaintenanceReport[] | undefined;
}

export interface InstanceHealthDeps {
  checkReadiness: ReadinessCheck;
  pending: Pick<PendingStarts, 'count'>;
  readReports(): Promise<MaintenanceReport[]>;
  checkOpenDatabase(): Promise<Check[]>;
  checkOpenTemporal(): Promise<Check[]>;
  checkPools(): Promise<Check[]>;
}

/** Reads everything concurrently. Never throws, and returns in time even if a dependency is unavailable. */
export function createInstanceHealth(deps: InstanceHealthDeps): () => Promise<InstanceHealth> {
  return async () => {
    const [{ dependencies }, ofDatabase, ofTemporal, ofPools, pendingStarts, maintenance] = await Promise.all([
      deps.checkReadiness(),
      readWithin(READ_MS, deps.checkOpenDatabase),
      readWithin(READ_MS, deps.checkOpenTemporal),
      readWithin(READ_MS, deps.checkPools),
      readWithin(READ_MS, deps.pending.count),
      readWithin(READ_MS, deps.readReports),
    ]);
    const checks = [...(ofDatabase ?? []), ...(ofTemporal ?? []), ...(ofPools ?? [])];
    return { dependencies, checks, pendingStarts, maintenance };
  };
}
