import type { LeaseStore } from '#src/db/instance/lease-store.js';
import type { RemovedProject, RemovedProjectStore } from '#src/db/projects/removed-project-store.js';
import type { RunStatusStore } from '#src/db/runs/run-status-store.js';
import type { Logger } from '#src/lib/logger.js';
import { leasedLoop } from '#src/services/instance/leased-loop.js';

const LOOK_EVERY_MS = 2000;
/** After a look that had work to do the next one waits this many times its duration: runs that are slow to stop load Temporal little. */
const REST = 10;
const REST_MAX_MS = 30_000;
const LEASE_MS = 30_000;
const PROLONG_MS = 5000;
/** Workflows that are canceled at the same time. Each has a deadline of its own, well within the lease. */
const AT_ONCE = 20;
/** How long a look goes on while workflows cannot be canceled, in ms. */
const FAILING_LOOK_MS = 30_000;
/** A trigger that found the project before its removal has inserted its run by then, in ms. */
const SETTLED_MS = 60_000;

export interface RemovedRunsDeps {
  removed: RemovedProjectStore;
  statuses: Pick<RunStatusStore, 'stopUnbegun'>;
  /** Asks the run's workflow to stop; false when there is no open one. Throws when Temporal does not answer. */
  cancel(runId: string): Promise<boolean>;
  lease: LeaseStore;
  log: Pick<Logger, 'info' | 'warn' | 'debug'>;
  /** See SETTLED_MS. */
  settledMs?: number;
}

/**
 * Stops the open runs of removed projects, whatever happens in between: one server at a time looks every two seconds.
 * So a removal answers at once, whether Temporal is up or not and however many runs are open. With nothing to do a look
 * is one small query. Trouble is logged once an outage.
 */
export function stopRemovedRuns(deps: RemovedRunsDeps): { stop(): Promise<void> } {
  const look = createRemovedRunsPass(deps);
  const timed = async (isStopping: () => boolean) => {
    const begunAt = performance.now();
    const rest = (await look(isStopping)) ? REST : 0;
    return Math.max(LOOK_EVERY_MS, Math.min(REST_MAX_MS, rest * (performance.now() - begunAt)));
  };
  return leasedLoop(timed, {
    ...deps,
    everyMs: LOOK_EVERY_MS,
    texts: {
      failing: 'could not stop runs of deleted projects; retrying',
      working: 'stopping runs of deleted projects again',
      unreleased: 'could not release the lease for deleted projects; it will expire',
    },
  });
}

/**
 * One look: pending runs end as `stopped` first, for which Temporal is not needed; then the workflows of the others are
 * canceled. Every step is safe to repeat, and each looks first whether the project was restored.
 * @returns a function that answers whether there was a removed project to look at, and throws when a store does not
 *   answer; what it could not do is left to the next look
 */
export function createRemovedRunsPass({
  removed,
  statuses,
  cancel,
  lease,
  settledMs = SETTLED_MS,
}: RemovedRunsDeps): (isStopping?: () => boolean) => Promise<boolean> {
  let prolongAt = 0;

  async function holdsLease(): Promise<boolean> {
    const now = performance.now();
    if (now < prolongAt) return true;
    prolongAt = 0;
    if (!(await lease.acquire(LEASE_MS))) return false;
    prolongAt = now + PROLONG_MS;
    return true;
  }

  async function stopOne(runId: string): Promise<void> {
    if (!(await cancel(runId))) await statuses.stopUnbegun(runId);
  }

  /** A workflow that cannot be canceled holds up no other. @throws the first error, once nothing else can be done */
  async function stopBegun(project: RemovedProject, mayGoOn: () => Promise<boolean>): Promise<void> {
    const ids = await removed.openRuns(project.id);
    const errors: unknown[] = [];
    for (let at = 0; at < ids.length; at += AT_ONCE) {
      // After the ids were read: a run that is triggered after a restore is not among them.
      if (!(await mayGoOn()) || !(await removed.isStillRemoved(project))) break;
      const results = await Promise.allSettled(ids.slice(at, at + AT_ONCE).map(stopOne));
      const failed = results.filter((result) => result.status === 'rejected');
      errors.push(...failed.map(({ reason }) => reason as unknown));
      if (failed.length === results.length) break;
    }
    if (errors.length > 0) throw errors[0];
  }

  return async (isStopping = () => false) => {
    const mayGoOn = async () => !isStopping() && (await holdsLease());
    if (!(await mayGoOn())) return false;
    const begunAt = performance.now();
    const errors: unknown[] = [];
    const projects = await removed.list();
    for (const project of projects) while ((await mayGoOn()) && (await removed.stopPending(project)) > 0);
    for (const project of projects) {
      await stopBegun(project, mayGoOn).catch((error: unknown) => errors.push(error));
      // The next look ends pending runs of other removals first.
      if (errors.length > 0 && performance.now() - begunAt > FAILING_LOOK_MS) break;
    }
    for (const project of projects) if (project.ageMs >= settledMs) await removed.finish(project);
    if (errors.length > 0) throw errors[0];
    return projects.length > 0;
  };
}
