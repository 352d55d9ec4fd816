import { idOfDay, type ProjectDay } from '#src/domain/stats/project-day.js';
import { OPEN_STATUSES } from '#src/domain/runs/run-status.js';
import type { Collections } from '#src/db/schema/collections.js';
import { OPEN_OF_PROJECT } from '#src/db/runs/count-open-runs.js';

const OPTIONS = { maxTimeMS: 2000 };

export type ProjectStatsStore = ReturnType<typeof createProjectStatsStore>;

/** Statistics of projects. Each call throws the driver's error when the database does not answer in time. */
export function createProjectStatsStore({ runs, projectDays }: Pick<Collections, 'runs' | 'projectDays'>) {
  return {
    /** The days on which a run ended, in order. @param from first day (`2026-08-02`). @param to last day */
    days: (projectId: string, from: string, to: string): Promise<ProjectDay[]> =>
      projectDays
        .find({ _id: { $gte: idOfDay(projectId, from), $lte: idOfDay(projectId, to) } }, OPTIONS)
        .sort({ _id: 1 })
        .toArray(),

    /** Number of open runs per project, test runs of suites included. */
    async openRuns(projectIds: readonly string[]) {
      const groups = runs.aggregate<{ _id: string; count: number }>(
        [
          { $match: { projectId: { $in: [...projectIds] }, status: { $in: [...OPEN_STATUSES] } } },
          { $group: { _id: '$projectId', count: { $sum: 1 } } },
        ],
        { ...OPTIONS, hint: OPEN_OF_PROJECT },
      );
      return new Map((await groups.toArray()).map(({ _id, count }) => [_id, count]));
    },

    // In index order, so that MongoDB reads only the first key of each project.
    /** When the newest run of each project was triggered. */
    async lastRunAt(projectIds: readonly string[]) {
      const newest = runs.aggregate<{ _id: string; at: Date }>(
        [
          { $match: { projectId: { $in: [...projectIds] } } },
          { $sort: { projectId: 1, queuedAt: -1, _id: -1 } },
          { $group: { _id: '$projectId', at: { $first: '$queuedAt' } } },
        ],
        { ...OPTIONS, hint: 'newest_of_project' },
      );
      return new Map((await newest.toArray()).map(({ _id, at }) => [_id, at]));
    },
  };
}
