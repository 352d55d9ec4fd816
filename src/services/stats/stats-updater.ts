import type { EndedRunCounts } from '#src/db/stats/count-ended.js';
import type { LeaseStore } from '#src/db/instance/lease-store.js';
import type { Logger } from '#src/lib/logger.js';
import { leasedLoop } from '#src/services/instance/leased-loop.js';
import { countBatch } from './count-batch.js';

const UPDATE_EVERY_MS = 2000;
/** Runs per batch, and the pause between batches in ms: catching up must not slow down triggers. */
const BATCH = 500;
const PAUSE_MS = 100;
/** Time after which a write with a given timestamp is visible, in ms. */
const LATE_MS = 3000;
/** Lease of the server that runs the job, and its renewal interval, in ms. */
const LEASE_MS = 20_000;
const RENEW_MS = 10_000;

export interface StatsUpdaterDeps {
  counts: EndedRunCounts;
  lease: LeaseStore;
  log: Logger;
  /** See LATE_MS. */
  lateMs?: number;
}

/** The lease that this server holds. */
interface HeldLease {
  /** By performance.now(), in ms. */
  renewAt: number;
  /** The database's clock, and performance.now() at that moment. */
  at: Date;
  acquiredAt: number;
  /** Runs that ended before are counted. */
  mark: Date;
}

/**
 * Updates the statistics of tests, suites and projects when runs end; one server at a time does. With nothing to do, a
 * pass is one small query.
 */
export function startStatsUpdater(deps: StatsUpdaterDeps): { stop(): Promise<void> } {
  const pass = createStatsPass(deps);
  return leasedLoop(async () => ((await pass()) ? PAUSE_MS : UPDATE_EVERY_MS), {
    ...deps,
    everyMs: UPDATE_EVERY_MS,
    texts: {
      failing: 'could not update statistics; retrying every 2 s',
      working: 'updating statistics again',
      unreleased: 'could not release the statistics lease; it will expire',
    },
  });
}

/**
 * Passes that acquire the lease if it is free, and count a batch.
 * @returns a function that returns whether there may be more to count
 */
export function createStatsPass({ counts, lease, lateMs = LATE_MS }: StatsUpdaterDeps): () => Promise<boolean> {
  let lastLease: HeldLease | undefined;

  async function acquire(): Promise<HeldLease | undefined> {
    const requestedAt = performance.now();
    const acquired = await lease.acquire(LEASE_MS);
    if (!acquired) return undefined;
    const { at, mark = new Date(0) } = acquired;
    return { renewAt: requestedAt + RENEW_MS, at, acquiredAt: performance.now(), mark };
  }

  return async () => {
    if (!lastLease || performance.now() >= lastLease.renewAt) lastLease = await acquire();
    if (!lastLease) return false;
    const { at, acquiredAt, mark } = lastLease;
    const until = new Date(at.getTime() + (performance.now() - acquiredAt) - lateMs);
    // Cleared until the end: after any error, the next pass reads the mark from the database.
    const current = lastLease;
    lastLease = undefined;
    const batch = await countBatch(counts, mark, until, BATCH);
    if (batch.outcome === 'overtaken') return true;
    if (batch.outcome === 'counted') {
      if (!(await lease.advance(batch.mark))) return false;
      current.mark = batch.mark;
    }
    lastLease = current;
    return batch.outcome === 'counted' && batch.runs >= BATCH / 2;
  };
}
