import type { PendingRun, PendingStarts } from '#src/db/runs/pending-starts.js';
import type { Pass } from './pass.js';

export interface OverdueDeps {
  pending: Pick<PendingStarts, 'claim' | 'clear' | 'release' | 'giveUp'>;
  /** Starts the workflow; idempotent. */
  start(run: PendingRun): Promise<void>;
  /** How long a run may be pending, in ms. */
  startDeadlineMs: number;
}

/** Overdue by so much that no server seems to sweep. */
const OVERDUE_MS = 60_000;
const LEASE_MS = 30_000;
/** More than a start takes. */
const START_MS = 6000;
/** Per pass; servers work off larger backlogs. */
const MAX_STARTS = 1000;

/** Starts pending runs that no server starts, and ends those past their deadline. */
export async function startOverdue(deps: OverdueDeps, pass: Pass): Promise<void> {
  const { pending } = deps;
  pass.repaired('not_started', await pending.giveUp(deps.startDeadlineMs));
  const leasedUntil = performance.now() + LEASE_MS;
  const overdue = await pending.claim(MAX_STARTS, LEASE_MS, {
    overdueMs: OVERDUE_MS,
    deadlineMs: deps.startDeadlineMs,
  });
  await pass.each(
    overdue,
    ({ _id }) => _id,
    async (run) => {
      // Without a lease, another process may start or expire it: leave it to the next pass.
      if (performance.now() + START_MS > leasedUntil) return;
      try {
        await deps.start(run);
      } catch (error) {
        await pending.release([run._id], 0, true);
        throw error;
      }
      await pending.clear(run._id);
      pass.repaired('started');
    },
  );
}
