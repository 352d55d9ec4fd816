import type { Document } from 'mongodb';
import type { Run } from '#src/domain/runs/run.js';
import type { Collections } from '#src/db/schema/collections.js';
import { countTestRuns } from '#src/db/suite-runs/suite-counts.js';

const MAX_TIME_MS = 2000;

export type RunQueries = ReturnType<typeof createRunQueries>;

/** Each call throws the driver's error when the database does not answer in time. */
export function createRunQueries({ runs, projects }: Collections) {
  const options = (projection: Document) => ({ projection, maxTimeMS: MAX_TIME_MS });

  return {
    find: async (id: string): Promise<Run | undefined> =>
      (await runs.findOne({ _id: id }, { maxTimeMS: MAX_TIME_MS })) ?? undefined,

    statusOf: async (id: string) => (await runs.findOne({ _id: id }, options({ status: 1 })))?.status,

    counts: (suiteRunId: string) => countTestRuns(runs, suiteRunId, { maxTimeMS: MAX_TIME_MS }),

    async projectNames(ids: string[]) {
      const found = await projects.find({ _id: { $in: [...new Set(ids)] } }, options({ name: 1 })).toArray();
      return new Map(found.map(({ _id, name }) => [_id, name]));
    },

    nameOfRun: async (id: string) => (await runs.findOne({ _id: id }, options({ targetName: 1 })))?.targetName,
  };
}
