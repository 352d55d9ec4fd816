import type { MaintenanceReport } from '#src/db/schema/documents.js';
import type { PendingStarts } from '#src/db/runs/pending-starts.js';
import type { Check } from '#src/domain/check.js';
import type { Readiness, ReadinessCheck } from './check-readiness.js';
import { readWithin } from './read-within.js';

/** Within the time of a page, with room for the page itself. */
const LOOK_MS = 3500;

/** How the instance is. What could not be found out is absent: what it depends on is away. */
export interface InstanceHealth {
  dependencies: Readiness['dependencies'];
  /** As `runhook doctor` says them, of MongoDB and of Temporal. */
  checks: Check[];
  /** Accepted runs that have not been started yet. */
  pendingStarts?: { pending: number; oldest?: Date } | undefined;
  /** What the jobs of the schedules have done. */
  maintenance?: MaintenanceReport[] | undefined;
}

export interface InstanceHealthDeps {
  checkReadiness: ReadinessCheck;
  pending: Pick<PendingStarts, 'count'>;
  readReports(): Promise<MaintenanceReport[]>;
  checkOpenDatabase(): Promise<Check[]>;
  checkOpenTemporal(): Promise<Check[]>;
}

/** Looks at everything at once; never throws, and is over within a page's time whatever is away. */
export function createInstanceHealth(deps: InstanceHealthDeps): () => Promise<InstanceHealth> {
  return async () => {
    const [{ dependencies }, ofDatabase, ofTemporal, pendingStarts, maintenance] = await Promise.all([
      deps.checkReadiness(),
      readWithin(LOOK_MS, deps.checkOpenDatabase),
      readWithin(LOOK_MS, deps.checkOpenTemporal),
      readWithin(LOOK_MS, deps.pending.count),
      readWithin(LOOK_MS, deps.readReports),
    ]);
    const checks = [...(ofDatabase ?? []), ...(ofTemporal ?? [])];
    return { dependencies, checks, pendingStarts, maintenance };
  };
}
