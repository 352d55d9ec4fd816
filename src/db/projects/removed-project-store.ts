import { TARGET_KINDS } from '#src/domain/targets/target-kind.js';
import { OPEN_STATUSES } from '#src/domain/runs/run-status.js';
import { STARTERS } from '#src/domain/runs/run.js';
import type { Collections } from '#src/db/schema/collections.js';
import { idsOf } from '#src/db/query/ids-of.js';
import { OPEN_OF_PROJECT } from '#src/db/runs/count-open-runs.js';
import { endPending } from '#src/db/runs/run-status-store.js';

const OPTIONS = { maxTimeMS: 2000 };
const PROJECTS_MAX = 100;
const PENDING_BATCH = 500;
const OPEN_MAX = 20_000;
const OPEN = { $in: [...OPEN_STATUSES] };

/** A removed project whose runs are being stopped. */
export interface RemovedProject {
  id: string;
  /** When it was removed, by the database's clock. */
  since: Date;
  /** Time since the removal, in ms. */
  ageMs: number;
}

export type RemovedProjectStore = ReturnType<typeof createRemovedProjectStore>;

/** Removed projects and their open runs. Each call throws the driver's error when the database does not answer in time. */
export function createRemovedProjectStore({ projects, runs }: Pick<Collections, 'projects' | 'runs'>) {
  const isStillRemoved = async ({ id, since }: RemovedProject) =>
    (await projects.findOne({ _id: id, stopRunsSince: since }, { ...OPTIONS, projection: { _id: 1 } })) !== null;

  return {
    /** Up to 100 projects whose runs are being stopped, the latest removal first. */
    list: (): Promise<RemovedProject[]> =>
      projects
        .find<{ _id: string; stopRunsSince: Date; ageMs: number }>(
          { stopRunsSince: { $exists: true } },
          {
            ...OPTIONS,
            projection: { stopRunsSince: 1, ageMs: { $toDouble: { $subtract: ['$$NOW', '$stopRunsSince'] } } },
          },
        )
        .sort({ stopRunsSince: -1 })
        .limit(PROJECTS_MAX)
        .map(({ _id, stopRunsSince, ageMs }) => ({ id: _id, since: stopRunsSince, ageMs }))
        .toArray(),

    /** Whether the project has not been restored since this removal. */
    isStillRemoved,

    /** Ends up to 500 pending runs as `stopped`, none if the project has been restored. @returns how many */
    async stopPending(project: RemovedProject) {
      const ids = await idsOf(
        runs,
        { projectId: project.id, 'dispatch.after': { $exists: true } },
        { ...OPTIONS, hint: 'pending_starts', limit: PENDING_BATCH },
      );
      // Checked after the ids are read, so that no run triggered after a restore is among them.
      if (ids.length === 0 || !(await isStillRemoved(project))) return 0;
      return endPending(runs, ids, { status: 'stopped' }, { projectId: project.id });
    },

    /** Up to 20,000 open runs, without the test runs of suites, which end with their suite. */
    openRuns: (projectId: string) =>
      idsOf(
        runs,
        {
          projectId,
          suiteRunId: null,
          kind: { $in: [...TARGET_KINDS] },
          'triggeredBy.type': { $in: [...STARTERS] },
          status: OPEN,
        },
        { ...OPTIONS, hint: 'runs_of_project', limit: OPEN_MAX },
      ),

    /** Records that all runs are stopped. Has no effect while a run, or a test run of a suite, is open. */
    async finish({ id, since }: RemovedProject) {
      const options = { ...OPTIONS, hint: OPEN_OF_PROJECT, limit: 1 };
      const open = await idsOf(runs, { projectId: id, status: OPEN }, options);
      if (open.length === 0)
        await projects.updateOne({ _id: id, stopRunsSince: since }, { $unset: { stopRunsSince: '' } });
    },
  };
}

/** Marks projects with open runs that earlier versions removed, so that the runs are stopped. Safe to repeat. */
export async function markRemovedProjects({ projects, runs }: Pick<Collections, 'projects' | 'runs'>): Promise<void> {
  const groups = runs.aggregate<{ _id: string }>(
    [{ $match: { projectId: { $gt: '' }, status: OPEN } }, { $group: { _id: '$projectId' } }],
    { hint: OPEN_OF_PROJECT },
  );
  const ids = await groups.map(({ _id }) => _id).toArray();
  await projects.updateMany(
    { _id: { $in: ids }, archivedAt: { $exists: true }, stopRunsSince: { $exists: false } },
    { $currentDate: { stopRunsSince: true } },
  );
}
