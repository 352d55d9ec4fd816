import type { PendingRun, PendingStarts } from '../../src/db/pending-starts.js';
import type { Pass } from './pass.js';

export interface OverdueDeps {
  pending: Pick<PendingStarts, 'claim' | 'clear' | 'release' | 'giveUp'>;
  /** Starts the workflow; idempotent. */
  start(run: PendingRun): Promise<void>;
  /** How long a run may wait for its start, in ms. */
  startDeadlineMs: number;
}

/** Due for so long that no server's sweep seems to be there. */
const OVERDUE_MS = 60_000;
const LEASE_MS = 30_000;
/** More than a start takes. */
const START_MS = 6000;
/** In one pass; a backlog of more is the servers' to work off. */
const MAX_STARTS = 1000;

/** Starts runs that wait for their start although no server does it, and ends those past their deadline. */
export async function startOverdue(deps: OverdueDeps, pass: Pass): Promise<void> {
  const { pending } = deps;
  pass.mended('not_started', await pending.giveUp(deps.startDeadlineMs));
  const leasedUntil = performance.now() + LEASE_MS;
  const overdue = await pending.claim(MAX_STARTS, LEASE_MS, {
    overdueMs: OVERDUE_MS,
    deadlineMs: deps.startDeadlineMs,
  });
  await pass.each(
    overdue,
    ({ _id }) => _id,
    async (run) => {
      // Without a lease another process may start it or give it up: it is left to the next pass.
      if (performance.now() + START_MS > leasedUntil) return;
      try {
        await deps.start(run);
      } catch (error) {
        await pending.release([run._id], 0, true);
        throw error;
      }
      await pending.clear(run._id);
      pass.mended('started');
    },
  );
}
