import type { Run } from '#src/domain/runs/run.js';
import type { LastFired, Schedule } from '#src/domain/schedules/schedule.js';
import type { Collections } from '#src/db/schema/collections.js';

const OPTIONS = { maxTimeMS: 2000 };
const OF_PROJECT = { projectId: 1, name: 1, _id: 1 };
const LIVE = { archivedAt: { $exists: false } };

/** Schedules; see also target-store.ts. Each call throws the driver's error when the database does not answer. */
export interface ScheduleStore {
  find(id: string): Promise<Schedule | undefined>;
  /** The live schedules of all projects. */
  live(): Promise<Schedule[]>;
  /** The `ids` that exist, live or archived. */
  known(ids: readonly string[]): Promise<string[]>;
  /** The live schedules of a project, by name. */
  ofProject(projectId: string): Promise<Schedule[]>;
  /** Archives the schedules of a project, or only those of `targetIds`. Safe to repeat. @returns the archived ids */
  archiveOf(projectId: string, targetIds?: readonly string[]): Promise<string[]>;
  /** Records the result of a scheduled time, unless a later one is recorded. */
  noteFired(id: string, fired: LastFired): Promise<void>;
  /** Records whether Temporal accepts this revision. @param refusedBecause absent: accepted */
  noteAcceptance(schedule: Pick<Schedule, '_id' | 'revision'>, refusedBecause?: string): Promise<void>;
  /** Counts live schedules that Temporal does not accept. */
  countRefused(): Promise<number>;
  statusesOf(runIds: readonly string[]): Promise<Map<string, Run['status']>>;
}

export function createScheduleStore({ schedules, runs }: Pick<Collections, 'schedules' | 'runs'>): ScheduleStore {
  return {
    find: async (id) => (await schedules.findOne({ _id: id }, OPTIONS)) ?? undefined,

    live: () => schedules.find(LIVE, OPTIONS).toArray(),

    known: (ids) =>
      schedules
        .find({ _id: { $in: [...ids] } }, { ...OPTIONS, projection: { _id: 1 } })
        .map(({ _id }) => _id)
        .toArray(),

    ofProject: (projectId) =>
      schedules
        .find({ projectId, ...LIVE }, { ...OPTIONS, hint: OF_PROJECT })
        .sort({ name: 1 })
        .toArray(),

    async archiveOf(projectId, targetIds) {
      const ids = targetIds && [...targetIds];
      const of = ids ? { $or: [{ 'definition.testId': { $in: ids } }, { 'definition.suiteId': { $in: ids } }] } : {};
      const live = schedules.find({ projectId, ...of, ...LIVE }, { projection: { _id: 1 }, hint: OF_PROJECT });
      const found = await live.map(({ _id }) => _id).toArray();
      if (found.length > 0)
        await schedules.updateMany({ _id: { $in: found }, ...LIVE }, { $currentDate: { archivedAt: true } });
      return found;
    },

    async noteFired(id, fired) {
      const isNews = { $or: [{ lastFired: { $exists: false } }, { 'lastFired.at': { $lte: fired.at } }] };
      await schedules.updateOne({ _id: id, ...isNews }, { $set: { lastFired: fired } });
    },

    async noteAcceptance({ _id, revision }, refusedBecause) {
      if (refusedBecause === undefined) {
        await schedules.updateOne({ _id, engineRefusal: { $exists: true } }, { $unset: { engineRefusal: '' } });
        return;
      }
      const message = { $literal: refusedBecause };
      await schedules.updateOne({ _id, revision }, [{ $set: { engineRefusal: { revision, message, at: '$$NOW' } } }]);
    },

    countRefused: () =>
      schedules.countDocuments(
        { ...LIVE, engineRefusal: { $exists: true }, $expr: { $eq: ['$engineRefusal.revision', '$revision'] } },
        OPTIONS,
      ),

    async statusesOf(runIds) {
      const found = await runs
        .find({ _id: { $in: [...runIds] } }, { ...OPTIONS, projection: { status: 1 }, hint: '_id_' })
        .toArray();
      return new Map(found.map(({ _id, status }) => [_id, status]));
    },
  };
}
