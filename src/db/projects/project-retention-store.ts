import type { Project } from '#src/domain/records.js';
import type { Run } from '#src/domain/runs/run.js';
import type { Collections } from '#src/db/schema/collections.js';

const INDEX = 'newest_of_project';
const BATCH = 1000;
export const DAY_MS = 24 * 3_600_000;
/** By then every server knows the new days: no run is accepted with the old ones any more. */
const KNOWN_AFTER_MS = 60_000;

export interface ChangedRetention {
  projectId: string;
  /** As the project says; undefined: no more than the default. */
  days: number | undefined;
  changedAt: Date;
}

/** Changes of how long projects keep their runs, which the runs on record have to follow. */
export interface ProjectRetentionStore {
  /** Projects whose runs do not follow yet; `isKnown`: every server knows the change. */
  changed(): Promise<(ChangedRetention & { isKnown: boolean })[]>;
  /** Lets the project's runs expire by the days it has now. @returns how many runs were changed */
  follow(change: ChangedRetention, defaultMs: number, onBatch: () => Promise<void>): Promise<number>;
}

export function createProjectRetentionStore({
  projects,
  runs,
}: Pick<Collections, 'projects' | 'runs'>): ProjectRetentionStore {
  return {
    async changed() {
      const isKnown = { $lt: ['$retentionChangedAt', { $subtract: ['$$NOW', KNOWN_AFTER_MS] }] };
      const found = await projects
        .find({ retentionChangedAt: { $exists: true } })
        .project<Pick<Project, '_id' | 'retentionDays' | 'retentionChangedAt'> & { isKnown: boolean }>({
          retentionDays: 1,
          retentionChangedAt: 1,
          isKnown,
        })
        .toArray();
      return found.map(({ _id, retentionDays, retentionChangedAt, isKnown }) => ({
        projectId: _id,
        days: retentionDays,
        changedAt: retentionChangedAt!,
        isKnown,
      }));
    },

    async follow({ projectId, days, changedAt }, defaultMs, onBatch) {
      const keptMs = days === undefined ? defaultMs : days * DAY_MS;
      let changed = 0;
      for (let last: Pick<Run, '_id' | 'queuedAt'> | undefined; ;) {
        const after = last
          ? { $or: [{ queuedAt: { $lt: last.queuedAt } }, { queuedAt: last.queuedAt, _id: { $lt: last._id } }] }
          : {};
        const page: Pick<Run, '_id' | 'queuedAt'>[] = await runs
          .find({ projectId, ...after }, { projection: { queuedAt: 1 }, hint: INDEX })
          .sort({ queuedAt: -1, _id: -1 })
          .limit(BATCH)
          .toArray();
        const { modifiedCount } = await runs.updateMany({ _id: { $in: page.map(({ _id }) => _id) } }, [
          { $set: { expiresAt: { $add: ['$queuedAt', keptMs] } } },
        ]);
        changed += modifiedCount;
        if (page.length < BATCH) break;
        last = page.at(-1)!;
        await onBatch();
      }
      // Not when it has been changed once more meanwhile.
      await projects.updateOne(
        { _id: projectId, retentionChangedAt: changedAt },
        { $unset: { retentionChangedAt: '' } },
      );
      return changed;
    },
  };
}
