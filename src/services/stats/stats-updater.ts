import type { EndedRunCounts } from '#src/db/stats/count-ended.js';
import type { LeaseStore } from '#src/db/instance/lease-store.js';
import type { Logger } from '#src/lib/logger.js';
import { leasedLoop } from '#src/services/instance/leased-loop.js';
import { countBatch } from './count-batch.js';

const LOOK_EVERY_MS = 2000;
/** Runs in a batch, and the pause before the next of them, in ms: catching up must not slow the triggers. */
const BATCH = 500;
const PAUSE_MS = 100;
/** A write that says it was made before this long is there by now, in ms. */
const LATE_MS = 3000;
/** How long a server holds the job without a word, and when it prolongs it, in ms. */
const LEASE_MS = 20_000;
const PROLONG_MS = 10_000;

export interface StatsUpdaterDeps {
  counts: EndedRunCounts;
  lease: LeaseStore;
  log: Logger;
  /** See LATE_MS. */
  lateMs?: number;
}

/** What a server knows of its hold on the job. */
interface Hold {
  /** performance.now(). */
  prolongAt: number;
  /** The database's clock, and ours at that moment. */
  at: Date;
  heardAt: number;
  /** How far the numbers go. */
  mark: Date;
}

/**
 * Keeps the numbers of tests, suites and projects up to date with the runs that end. Any number of servers may do this:
 * one at a time does. With nothing to do a look is one small query. Every call is bounded by the database's time-outs;
 * trouble is logged once an outage.
 */
export function startStatsUpdater(deps: StatsUpdaterDeps): { stop(): Promise<void> } {
  const look = createStatsPass(deps);
  return leasedLoop(async () => ((await look()) ? PAUSE_MS : LOOK_EVERY_MS), {
    ...deps,
    everyMs: LOOK_EVERY_MS,
    texts: {
      failing: 'could not update statistics; retrying every 2 s',
      working: 'updating statistics again',
      unreleased: 'could not release the statistics lease; it will expire',
    },
  });
}

/**
 * One look after another: takes the job if it is free, and counts a batch.
 * @returns of each look, whether there may be more to count
 */
export function createStatsPass({ counts, lease, lateMs = LATE_MS }: StatsUpdaterDeps): () => Promise<boolean> {
  let hold: Hold | undefined;

  async function take(): Promise<Hold | undefined> {
    const askedAt = performance.now();
    const taken = await lease.acquire(LEASE_MS);
    if (!taken) return undefined;
    const { at, mark = new Date(0) } = taken;
    return { prolongAt: askedAt + PROLONG_MS, at, heardAt: performance.now(), mark };
  }

  return async () => {
    if (!hold || performance.now() >= hold.prolongAt) hold = await take();
    if (!hold) return false;
    const { at, heardAt, mark } = hold;
    const until = new Date(at.getTime() + (performance.now() - heardAt) - lateMs);
    // Whatever goes wrong below, the next look begins with what the database says.
    const held = hold;
    hold = undefined;
    const batch = await countBatch(counts, mark, until, BATCH);
    if (batch.outcome === 'overtaken') return true;
    if (batch.outcome === 'counted') {
      if (!(await lease.advance(batch.mark))) return false;
      held.mark = batch.mark;
    }
    hold = held;
    return batch.outcome === 'counted' && batch.runs >= BATCH / 2;
  };
}
