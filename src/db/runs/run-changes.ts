import type { Filter } from 'mongodb';
import { RUN_STATUSES } from '#src/domain/runs/run-status.js';
import type { Run, TestRun } from '#src/domain/runs/run.js';
import type { Collections } from '#src/db/schema/collections.js';

const MAX_TIME_MS = 2000;
const FIELDS = { kind: 1, projectId: 1, suiteRunId: 1, status: 1, queuedAt: 1, modified: 1 };

/** The current state of a changed run, and the fields that determine who may see it. */
export type RunChange = Pick<Run, '_id' | 'kind' | 'projectId' | 'status' | 'queuedAt' | 'modified'> &
  Pick<TestRun, 'suiteRunId'>;

export type RunChanges = ReturnType<typeof createRunChanges>;

/** Polled for live pages. Each call throws the driver's error when the database does not answer in time. */
export function createRunChanges({ runs }: Pick<Collections, 'runs'>) {
  const options = { projection: FIELDS, maxTimeMS: MAX_TIME_MS };
  return {
    of: (runIds: readonly string[]) =>
      runs.find({ _id: { $in: [...runIds] } }, options).toArray() as Promise<RunChange[]>,

    /** Up to `limit` runs of the projects and test runs of the suite runs that changed at or after `moment`. */
    since: (
      moment: Date,
      { projectIds, suiteRunIds }: { projectIds: readonly string[]; suiteRunIds: readonly string[] },
      limit: number,
    ) =>
      runs
        .find(
          {
            status: { $in: [...RUN_STATUSES] },
            modified: { $gte: moment },
            $or: [{ projectId: { $in: [...projectIds] } }, { suiteRunId: { $in: [...suiteRunIds] } }],
          } as Filter<Run>,
          { ...options, hint: 'status' },
        )
        .limit(limit)
        .toArray() as Promise<RunChange[]>,
  };
}
