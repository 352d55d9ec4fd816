import type { Project } from '#src/domain/records.js';
import type { Run } from '#src/domain/runs/run.js';
import type { Collections } from '#src/db/schema/collections.js';

const INDEX = 'newest_of_project';
const BATCH = 1000;
export const DAY_MS = 24 * 3_600_000;
/** After this time every server uses the new setting: no run is accepted with the old one. */
const PROPAGATION_MS = 60_000;

export interface ChangedRetention {
  projectId: string;
  /** The project's setting; undefined: the default. */
  days: number | undefined;
  changedAt: Date;
}

export type ProjectRetentionStore = ReturnType<typeof createProjectRetentionStore>;

/** Changed retention settings, to be applied to existing runs. */
export function createProjectRetentionStore({ projects, runs }: Pick<Collections, 'projects' | 'runs'>) {
  return {
    /** Projects whose runs do not have the new expiry yet; `isPropagated`: every server uses the new setting. */
    async changed(): Promise<(ChangedRetention & { isPropagated: boolean })[]> {
      const isPropagated = { $lt: ['$retentionChangedAt', { $subtract: ['$$NOW', PROPAGATION_MS] }] };
      const found = await projects
        .find({ retentionChangedAt: { $exists: true } })
        .project<Pick<Project, '_id' | 'retentionDays' | 'retentionChangedAt'> & { isPropagated: boolean }>({
          retentionDays: 1,
          retentionChangedAt: 1,
          isPropagated,
        })
        .toArray();
      return found.map(({ _id, retentionDays, retentionChangedAt, isPropagated }) => ({
        projectId: _id,
        days: retentionDays,
        changedAt: retentionChangedAt!,
        isPropagated,
      }));
    },

    /** Sets the expiry of the project's runs by its current setting. @returns how many runs were changed */
    async apply({ projectId, days, changedAt }: ChangedRetention, defaultMs: number, onBatch: () => Promise<void>) {
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
      // Only if the setting has not changed again meanwhile.
      await projects.updateOne(
        { _id: projectId, retentionChangedAt: changedAt },
        { $unset: { retentionChangedAt: '' } },
      );
      return changed;
    },
  };
}
