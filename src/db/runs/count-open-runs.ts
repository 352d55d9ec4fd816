import { OPEN_STATUSES } from '#src/domain/runs/run-status.js';
import type { Collections } from '#src/db/schema/collections.js';

export const OPEN_OF_PROJECT = 'open_of_project';
const MAX_TIME_MS = 1000;

/**
 * Counts open runs, up to `max`.
 * @throws the driver's error when the database does not answer in time
 */
export type OpenRunCounter = (id: string, max: number) => Promise<number>;

/** Counts the queued runs of a suite. */
export function createWaitingRunCounter({ runs }: Pick<Collections, 'runs'>): OpenRunCounter {
  return (suiteId, max) =>
    runs.countDocuments(
      { targetId: suiteId, status: 'queued' },
      { hint: 'listed_of_target', limit: Math.max(1, max), maxTimeMS: MAX_TIME_MS },
    );
}

/** Counts the open runs of a project, test runs of suites included. */
export function createOpenRunCounter({ runs }: Pick<Collections, 'runs'>): OpenRunCounter {
  return (projectId, max) =>
    runs.countDocuments(
      { projectId, status: { $in: [...OPEN_STATUSES] } },
      { hint: OPEN_OF_PROJECT, limit: Math.max(1, max), maxTimeMS: MAX_TIME_MS },
    );
}
