import { OPEN_STATUSES } from '#src/domain/runs/run-status.js';
import type { Collections } from '#src/db/schema/collections.js';

export const OPEN_OF_PROJECT = 'open_of_project';
const MAX_TIME_MS = 1000;

/**
 * How many runs of a project (by its id) are not over, tests of suites included; at most `atMost` are counted.
 * @throws the driver's error when the database does not answer in time
 */
export type OpenRunCounter = (id: string, atMost: number) => Promise<number>;

/** How many runs of a suite have not begun; the rest is the same. */
export function createWaitingRunCounter({ runs }: Pick<Collections, 'runs'>): OpenRunCounter {
  return (suiteId, atMost) =>
    runs.countDocuments(
      { targetId: suiteId, status: 'queued' },
      { hint: 'listed_of_target', limit: Math.max(1, atMost), maxTimeMS: MAX_TIME_MS },
    );
}

export function createOpenRunCounter({ runs }: Pick<Collections, 'runs'>): OpenRunCounter {
  return (projectId, atMost) =>
    runs.countDocuments(
      { projectId, status: { $in: [...OPEN_STATUSES] } },
      { hint: OPEN_OF_PROJECT, limit: Math.max(1, atMost), maxTimeMS: MAX_TIME_MS },
    );
}
