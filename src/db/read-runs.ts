import type { Document } from 'mongodb';
import type { RunStatus, StatusCounts } from '../domain/run-status.js';
import type { Run } from '../domain/run.js';
import type { Collections } from './collections.js';
import { logLinesAfter, type LogBounds, type LogPart } from './run-logs.js';
import { countTestRuns } from './suite-counts.js';

const MAX_TIME_MS = 2000;
const LIST_FIELDS = { kind: 1, projectId: 1, targetName: 1, status: 1, queuedAt: 1, startedAt: 1, endedAt: 1 };

export type ListedRun = Pick<
  Run,
  '_id' | 'kind' | 'projectId' | 'targetName' | 'status' | 'queuedAt' | 'startedAt' | 'endedAt'
>;

/** Queries of pages. Each throws the driver's error when the database does not answer in time. */
export interface RunQueries {
  find(id: string): Promise<Run | undefined>;
  statusOf(id: string): Promise<RunStatus | undefined>;
  /** The newest runs that are not a suite's tests. @param projectIds of these projects only; undefined, of all */
  newest(limit: number, projectIds?: string[]): Promise<ListedRun[]>;
  /** How many of a suite run's tests have each status. */
  counts(suiteRunId: string): Promise<StatusCounts>;
  /** The log's first lines in order, cut at a number of lines or of characters, whichever comes first. */
  log(runId: string, max: LogBounds): Promise<LogPart>;
  /** Names of projects by id. */
  projectNames(ids: string[]): Promise<Map<string, string>>;
  nameOfRun(id: string): Promise<string | undefined>;
}

export function createRunQueries({ runs, runLogs, projects }: Collections): RunQueries {
  const options = (projection: Document) => ({ projection, maxTimeMS: MAX_TIME_MS });

  return {
    find: async (id) => (await runs.findOne({ _id: id }, { maxTimeMS: MAX_TIME_MS })) ?? undefined,

    statusOf: async (id) => (await runs.findOne({ _id: id }, options({ status: 1 })))?.status,

    newest: (limit, projectIds) =>
      runs
        .find(
          { suiteRunId: { $exists: false }, ...(projectIds ? { projectId: { $in: projectIds } } : {}) },
          { ...options(LIST_FIELDS), hint: projectIds ? 'newest_of_project' : 'newest' },
        )
        .sort({ queuedAt: -1, _id: -1 })
        .limit(limit)
        .toArray(),

    counts: (suiteRunId) => countTestRuns(runs, suiteRunId, { maxTimeMS: MAX_TIME_MS }),

    log: (runId, max) => logLinesAfter(runLogs, runId, undefined, max),

    async projectNames(ids) {
      const found = await projects.find({ _id: { $in: [...new Set(ids)] } }, options({ name: 1 })).toArray();
      return new Map(found.map(({ _id, name }) => [_id, name]));
    },

    nameOfRun: async (id) => (await runs.findOne({ _id: id }, options({ targetName: 1 })))?.targetName,
  };
}
