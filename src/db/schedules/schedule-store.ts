import type { LastFired, Schedule } from '#src/domain/schedules/schedule.js';
import type { Collections } from '#src/db/schema/collections.js';
import { idsOf } from '#src/db/query/ids-of.js';

const OPTIONS = { maxTimeMS: 2000 };
const OF_PROJECT = { projectId: 1, name: 1, _id: 1 };
const LIVE = { archivedAt: { $exists: false } };

export type ScheduleStore = ReturnType<typeof createScheduleStore>;

/** Schedules; see also target-store.ts. Each call throws the driver's error when the database does not answer. */
export function createScheduleStore({ schedules, runs }: Pick<Collections, 'schedules' | 'runs'>) {
  return {
    find: async (id: string): Promise<Schedule | undefined> =>
      (await schedules.findOne({ _id: id }, OPTIONS)) ?? undefined,

    /** The live schedules of all projects. */
    live: (): Promise<Schedule[]> => schedules.find(LIVE, OPTIONS).toArray(),

    /** The `ids` that exist, live or archived. */
    known: (ids: readonly string[]) => idsOf(schedules, { _id: { $in: [...ids] } }, OPTIONS),

    /** The live schedules of a project, by name. */
    ofProject: (projectId: string): Promise<Schedule[]> =>
      schedules
        .find({ projectId, ...LIVE }, { ...OPTIONS, hint: OF_PROJECT })
        .sort({ name: 1 })
        .toArray(),

    /** Archives the schedules of a project, or only those of `targetIds`. Safe to repeat. @returns the archived ids */
    async archiveOf(projectId: string, targetIds?: readonly string[]) {
      const ids = targetIds && [...targetIds];
      const of = ids ? { $or: [{ 'definition.testId': { $in: ids } }, { 'definition.suiteId': { $in: ids } }] } : {};
      const found = await idsOf(schedules, { projectId, ...of, ...LIVE }, { hint: OF_PROJECT });
      if (found.length > 0)
        await schedules.updateMany({ _id: { $in: found }, ...LIVE }, { $currentDate: { archivedAt: true } });
      return found;
    },

    /** Records the result of a scheduled time, unless a later one is recorded. */
    async noteFired(id: string, fired: LastFired) {
      const isNews = { $or: [{ lastFired: { $exists: false } }, { 'lastFired.at': { $lte: fired.at } }] };
      await schedules.updateOne({ _id: id, ...isNews }, { $set: { lastFired: fired } });
    },

    /** Records whether Temporal accepts this revision. @param refusedBecause absent: accepted */
    async noteAcceptance({ _id, revision }: Pick<Schedule, '_id' | 'revision'>, refusedBecause?: string) {
      if (refusedBecause === undefined) {
        await schedules.updateOne({ _id, engineRefusal: { $exists: true } }, { $unset: { engineRefusal: '' } });
        return;
      }
      const message = { $literal: refusedBecause };
      await schedules.updateOne({ _id, revision }, [{ $set: { engineRefusal: { revision, message, at: '$$NOW' } } }]);
    },

    /** Counts live schedules that Temporal does not accept. */
    countRefused: () =>
      schedules.countDocuments(
        { ...LIVE, engineRefusal: { $exists: true }, $expr: { $eq: ['$engineRefusal.revision', '$revision'] } },
        OPTIONS,
      ),

    async statusesOf(runIds: readonly string[]) {
      const found = await runs
        .find({ _id: { $in: [...runIds] } }, { ...OPTIONS, projection: { status: 1 }, hint: '_id_' })
        .toArray();
      return new Map(found.map(({ _id, status }) => [_id, status]));
    },
  };
}
