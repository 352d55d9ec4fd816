import type { Document } from 'mongodb';
import type { RunStatus, StatusCounts } from '#src/domain/runs/run-status.js';
import type { Run } from '#src/domain/runs/run.js';
import type { Collections } from '#src/db/schema/collections.js';
import { countTestRuns } from '#src/db/suite-runs/suite-counts.js';

const MAX_TIME_MS = 2000;

/** Each call throws the driver's error when the database does not answer in time. */
export interface RunQueries {
  find(id: string): Promise<Run | undefined>;
  statusOf(id: string): Promise<RunStatus | undefined>;
  counts(suiteRunId: string): Promise<StatusCounts>;
  projectNames(ids: string[]): Promise<Map<string, string>>;
  nameOfRun(id: string): Promise<string | undefined>;
}

export function createRunQueries({ runs, projects }: Collections): RunQueries {
  const options = (projection: Document) => ({ projection, maxTimeMS: MAX_TIME_MS });

  return {
    find: async (id) => (await runs.findOne({ _id: id }, { maxTimeMS: MAX_TIME_MS })) ?? undefined,

    statusOf: async (id) => (await runs.findOne({ _id: id }, options({ status: 1 })))?.status,

    counts: (suiteRunId) => countTestRuns(runs, suiteRunId, { maxTimeMS: MAX_TIME_MS }),

    async projectNames(ids) {
      const found = await projects.find({ _id: { $in: [...new Set(ids)] } }, options({ name: 1 })).toArray();
      return new Map(found.map(({ _id, name }) => [_id, name]));
    },

    nameOfRun: async (id) => (await runs.findOne({ _id: id }, options({ targetName: 1 })))?.targetName,
  };
}
