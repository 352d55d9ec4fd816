import type { LeaseStore } from '#src/db/instance/lease-store.js';
import type { RemovedProject, RemovedProjectStore } from '#src/db/projects/removed-project-store.js';
import type { RunStatusStore } from '#src/db/runs/run-status-store.js';
import type { Logger } from '#src/lib/logger.js';
import { leasedLoop } from '#src/services/instance/leased-loop.js';

const CHECK_EVERY_MS = 2000;
/** After a pass with work to do, the pause is this many times its duration: slow cancellations must not load Temporal. */
const PAUSE_FACTOR = 10;
const MAX_PAUSE_MS = 30_000;
const LEASE_MS = 30_000;
const RENEW_MS = 5000;
/** Concurrent cancellations. Each has its own deadline, well within the lease. */
const CONCURRENCY = 20;
/** How long a pass continues while cancellations fail, in ms. */
const FAILING_PASS_MS = 30_000;
/** Time after which a trigger that read the project before its deletion has inserted its run, in ms. */
const SETTLED_MS = 60_000;

export interface RemovedRunsDeps {
  removed: RemovedProjectStore;
  statuses: Pick<RunStatusStore, 'stopUnbegun'>;
  /** Cancels the run's workflow; false when none is open. Throws when Temporal does not respond. */
  cancel(runId: string): Promise<boolean>;
  lease: LeaseStore;
  log: Pick<Logger, 'info' | 'warn' | 'debug'>;
  /** See SETTLED_MS. */
  settledMs?: number;
}

/**
 * Stops the open runs of deleted projects; one server at a time checks every two seconds. So deleting a project returns
 * at once, even if Temporal is down or many runs are open. With nothing to do, a pass is one small query.
 */
export function stopRemovedRuns(deps: RemovedRunsDeps): { stop(): Promise<void> } {
  const pass = createRemovedRunsPass(deps);
  const timed = async (isStopping: () => boolean) => {
    const begunAt = performance.now();
    const pauseFactor = (await pass(isStopping)) ? PAUSE_FACTOR : 0;
    return Math.max(CHECK_EVERY_MS, Math.min(MAX_PAUSE_MS, pauseFactor * (performance.now() - begunAt)));
  };
  return leasedLoop(timed, {
    ...deps,
    everyMs: CHECK_EVERY_MS,
    texts: {
      failing: 'could not stop runs of deleted projects; retrying',
      working: 'stopping runs of deleted projects again',
      unreleased: 'could not release the lease for deleted projects; it will expire',
    },
  });
}

/**
 * One pass: first ends pending runs as `stopped`, which does not require Temporal, then cancels the workflows of the
 * others. Every step is safe to repeat, and first checks whether the project was restored.
 * @returns a function that returns whether there was a deleted project, and throws when a store does not respond; the
 *   next pass continues
 */
export function createRemovedRunsPass({
  removed,
  statuses,
  cancel,
  lease,
  settledMs = SETTLED_MS,
}: RemovedRunsDeps): (isStopping?: () => boolean) => Promise<boolean> {
  let renewAt = 0;

  async function holdsLease(): Promise<boolean> {
    const now = performance.now();
    if (now < renewAt) return true;
    renewAt = 0;
    if (!(await lease.acquire(LEASE_MS))) return false;
    renewAt = now + RENEW_MS;
    return true;
  }

  async function stopOne(runId: string): Promise<void> {
    if (!(await cancel(runId))) await statuses.stopUnbegun(runId);
  }

  /** Cancels all workflows that can be canceled. @throws the first error, at the end */
  async function stopBegun(project: RemovedProject, mayContinue: () => Promise<boolean>): Promise<void> {
    const ids = await removed.openRuns(project.id);
    const errors: unknown[] = [];
    for (let at = 0; at < ids.length; at += CONCURRENCY) {
      // Checked after the IDs were read, which therefore exclude runs that are triggered after a restore.
      if (!(await mayContinue()) || !(await removed.isStillRemoved(project))) break;
      const results = await Promise.allSettled(ids.slice(at, at + CONCURRENCY).map(stopOne));
      const failed = results.filter((result) => result.status === 'rejected');
      errors.push(...failed.map(({ reason }) => reason as unknown));
      if (failed.length === results.length) break;
    }
    if (errors.length > 0) throw errors[0];
  }

  return async (isStopping = () => false) => {
    const mayContinue = async () => !isStopping() && (await holdsLease());
    if (!(await mayContinue())) return false;
    const begunAt = performance.now();
    const errors: unknown[] = [];
    const projects = await removed.list();
    for (const project of projects) while ((await mayContinue()) && (await removed.stopPending(project)) > 0);
    for (const project of projects) {
      await stopBegun(project, mayContinue).catch((error: unknown) => errors.push(error));
      // The next pass first ends pending runs of other deleted projects.
      if (errors.length > 0 && performance.now() - begunAt > FAILING_PASS_MS) break;
    }
    for (const project of projects) if (project.ageMs >= settledMs) await removed.finish(project);
    if (errors.length > 0) throw errors[0];
    return projects.length > 0;
  };
}
