import type { Clock } from '#src/domain/clock.js';
import type { RunChange, RunChanges } from '#src/db/runs/run-changes.js';
import type { Watched } from './topics.js';

/** How far a look goes back before the one before it, in ms: a write may be seen later than it is dated. */
const OVERLAP_MS = 3000;
/** Of one look. What is more is not told one by one. */
const MOST_CHANGES = 2000;

/** A run that is still queued after so long says on its page what it waits for (see web/components/waiting), in ms. */
const LATE_MS = 5500;

/** Grows with each state of a run that pages show differently: with its writes, and when it waits for long. */
function stateOf({ status, queuedAt, modified }: RunChange, now: Date): number {
  const isLate = status === 'queued' && now.getTime() - queuedAt.getTime() > LATE_MS;
  return modified.getTime() + (isLate ? 0.5 : 0);
}

/** What one look has found. */
export interface Changes {
  runs: RunChange[];
  /** So much has changed that it is not told one by one: everything may have. */
  isAll: boolean;
}

export const NO_CHANGES: Changes = { runs: [], isAll: false };

/** Finds what has changed from look to look. Each state of a run is told once; of a run newly watched, its present one. */
export function createChangeFeed(store: RunChanges, clock: Clock) {
  /** The last state told, by run. */
  const told = new Map<string, number>();
  let lastLook: number | undefined;

  /** What was written since the look before, as far as it is found by its time. */
  async function lookBack({ suiteRunIds, projectIds }: Watched): Promise<{ found: RunChange[]; startedAt?: number }> {
    if (suiteRunIds.length + projectIds.length === 0) return { found: [] };
    const startedAt = clock.now().getTime();
    const from = (lastLook ?? startedAt) - OVERLAP_MS;
    return { found: await store.since(new Date(from), { suiteRunIds, projectIds }, MOST_CHANGES), startedAt };
  }

  return {
    /** @throws the driver's error; the next look makes up for it */
    async look(watched: Watched): Promise<Changes> {
      const [byId, { found, startedAt }] = await Promise.all([
        watched.runIds.length > 0 ? store.of(watched.runIds) : [],
        lookBack(watched),
      ]);
      // Not before both have answered: what a failed look may have missed is looked for again.
      lastLook = startedAt;
      const now = clock.now();
      const runs = [...byId, ...found].filter((run) => {
        const state = stateOf(run, now);
        const isNew = (told.get(run._id) ?? -1) < state;
        if (isNew) told.set(run._id, state);
        return isNew;
      });
      const oldest = (lastLook ?? Infinity) - OVERLAP_MS;
      const byIds = new Set(watched.runIds);
      for (const [id, modified] of told) if (modified < oldest && !byIds.has(id)) told.delete(id);
      return { runs, isAll: found.length >= MOST_CHANGES };
    },

    /** Nobody watches any more: the next look is a first one. */
    reset(): void {
      told.clear();
      lastLook = undefined;
    },
  };
}
