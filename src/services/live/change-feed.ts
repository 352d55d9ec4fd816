import type { Clock } from '#src/domain/clock.js';
import type { RunChange, RunChanges } from '#src/db/runs/run-changes.js';
import type { Watched } from './topics.js';

/** Overlap of two reads, in ms: a write may become visible after its timestamp. */
const OVERLAP_MS = 3000;
/** Most changes of one read. Beyond that, `isAll` replaces the list of changes. */
const MAX_CHANGES = 2000;

/** The page of a run that is queued for longer explains why (see web/components/waiting), in ms. */
const LATE_MS = 5500;

/** Increases with each change that pages show: a write, and the point at which the run counts as late. */
function stateOf({ status, queuedAt, modified }: RunChange, now: Date): number {
  const isLate = status === 'queued' && now.getTime() - queuedAt.getTime() > LATE_MS;
  return modified.getTime() + (isLate ? 0.5 : 0);
}

/** The result of one read. */
export interface Changes {
  runs: RunChange[];
  /** Too many changes to list: any run may have changed. */
  isAll: boolean;
}

export const NO_CHANGES: Changes = { runs: [], isAll: false };

/** Reads changes incrementally. Each state of a run is reported once; a newly watched run reports its current state. */
export function createChangeFeed(store: RunChanges, clock: Clock) {
  /** The last reported state, by run ID. */
  const reported = new Map<string, number>();
  let lastReadAt: number | undefined;

  /** Reads what was written since the last read, by its timestamp. */
  async function readSinceLast({
    suiteRunIds,
    projectIds,
  }: Watched): Promise<{ found: RunChange[]; startedAt?: number }> {
    if (suiteRunIds.length + projectIds.length === 0) return { found: [] };
    const startedAt = clock.now().getTime();
    const from = (lastReadAt ?? startedAt) - OVERLAP_MS;
    return { found: await store.since(new Date(from), { suiteRunIds, projectIds }, MAX_CHANGES), startedAt };
  }

  return {
    /** @throws the driver's error; the next read covers the same time again */
    async read(watched: Watched): Promise<Changes> {
      const [byId, { found, startedAt }] = await Promise.all([
        watched.runIds.length > 0 ? store.of(watched.runIds) : [],
        readSinceLast(watched),
      ]);
      // Only after both reads succeeded: the next read must cover the time of a failed one.
      lastReadAt = startedAt;
      const now = clock.now();
      const runs = [...byId, ...found].filter((run) => {
        const state = stateOf(run, now);
        const isNew = (reported.get(run._id) ?? -1) < state;
        if (isNew) reported.set(run._id, state);
        return isNew;
      });
      const oldest = (lastReadAt ?? Infinity) - OVERLAP_MS;
      const byIds = new Set(watched.runIds);
      for (const [id, modified] of reported) if (modified < oldest && !byIds.has(id)) reported.delete(id);
      return { runs, isAll: found.length >= MAX_CHANGES };
    },

    /** Called when there are no watchers left: the next read is a first one. */
    reset(): void {
      reported.clear();
      lastReadAt = undefined;
    },
  };
}
