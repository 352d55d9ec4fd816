import type { Collections } from '#src/db/schema/collections.js';
import { TERMINAL_STATUSES } from '#src/domain/runs/run-status.js';
import { keepLooking } from '#test/chaos/keep-looking.js';

const EVERY_MS = 500;

/** Counts the triggered runs that are not over, to limit the load. */
export interface Backlog {
  total(): number;
  of(targetName: string): number;
  stop(): Promise<void>;
}

/** Counts twice a second; while the database is unavailable, the last count remains. */
export function watchBacklog({ runs }: Pick<Collections, 'runs'>): Backlog {
  let open = new Map<string, number>();

  async function look(): Promise<void> {
    const groups = await runs
      .aggregate<{ _id: string; count: number }>([
        { $match: { status: { $nin: [...TERMINAL_STATUSES] }, suiteRunId: { $exists: false } } },
        { $group: { _id: '$targetName', count: { $sum: 1 } } },
      ])
      .toArray();
    open = new Map(groups.map(({ _id, count }) => [_id, count]));
  }

  const stop = keepLooking(EVERY_MS, look);
  return {
    total: () => [...open.values()].reduce((sum, count) => sum + count, 0),
    of: (targetName) => open.get(targetName) ?? 0,
    stop,
  };
}
