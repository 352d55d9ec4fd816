import type { Run } from '../domain/run.js';
import type { Collections } from './collections.js';

export type OpenRun = Pick<Run, '_id' | 'kind'>;

/**
 * Runs that are not over, were started, and have not moved since `before`. A suite's test runs that still wait for
 * their turn have no workflow yet and belong to their suite.
 */
export function openRuns({ runs }: Collections, before: Date): AsyncIterable<OpenRun> {
  return runs
    .find(
      {
        status: { $in: ['queued', 'running', 'auto_retrying'] },
        modified: { $lt: before },
        'dispatch.after': { $exists: false },
        $or: [{ status: { $ne: 'queued' } }, { suiteRunId: { $exists: false } }],
      },
      { projection: { kind: 1 } },
    )
    .limit(10_000);
}
