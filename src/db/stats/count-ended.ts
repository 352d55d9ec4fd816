import type { AnyBulkWriteOperation, Collection } from 'mongodb';
import type { ProjectDay } from '#src/domain/stats/project-day.js';
import { VERDICTS, type EndedRun, type TargetRecord } from '#src/domain/stats/target-stats.js';
import type { Collections } from '#src/db/schema/collections.js';
import { failedWrites, isDuplicate } from '#src/db/query/duplicate-key.js';

const OPTIONS = { maxTimeMS: 5000 };
const FIELDS = {
  kind: 1,
  projectId: 1,
  targetId: 1,
  targetRevision: 1,
  status: 1,
  startedAt: 1,
  endedAt: 1,
  modified: 1,
  'attempts.verdict.status': 1,
  'attempts.verdict.cases': 1,
};

/** Statistics that include every run up to the mark. */
interface Marked {
  _id: string;
  mark: Date;
}

/** Statistics before and after a change. */
export interface Step<T extends Marked> {
  from: T | undefined;
  to: T;
}

export type EndedRunCounts = ReturnType<typeof createEndedRunCounts>;

/** Ended runs, and the statistics that they are counted in. Each call throws the driver's error when the database does not answer. */
export function createEndedRunCounts({
  runs,
  targetStats,
  projectDays,
}: Pick<Collections, 'runs' | 'targetStats' | 'projectDays'>) {
  const find = (modified: object, limit: number) =>
    runs
      // A test run for a missing test was not executed.
      .find(
        { status: { $in: [...VERDICTS] }, modified, errorCode: { $ne: 'TEST_MISSING' } },
        { ...OPTIONS, projection: FIELDS, hint: 'status' },
      )
      .sort({ modified: 1 })
      .limit(limit)
      .toArray() as Promise<unknown> as Promise<EndedRun[]>;

  return {
    /**
     * The next runs that ended with a verdict, ordered by their last change. Runs with the same time are never split
     * between calls, so `limit` is approximate.
     * @param after time of the last change, exclusive
     */
    async endedAfter(after: Date, until: Date, limit: number) {
      const found = await find({ $gt: after, $lte: until }, limit + 1);
      if (found.length <= limit) return found;
      const last = found.at(-1)!.modified;
      const before = found.filter(({ modified }) => modified < last);
      // 0 means no limit.
      return before.length > 0 ? before : find({ $eq: last }, 0);
    },
    targets: (ids: readonly string[]) => byId(targetStats, ids),
    days: (ids: readonly string[]) => byId(projectDays, ids),
    /** Guarded by the previous state. @returns false when another process has changed one meanwhile */
    writeTargets: (steps: readonly Step<TargetRecord>[]) => write(targetStats, steps),
    writeDays: (steps: readonly Step<ProjectDay>[]) => write(projectDays, steps),
  };
}

async function byId<T extends Marked>(collection: Collection<T>, ids: readonly string[]): Promise<Map<string, T>> {
  const found = (await collection.find({ _id: { $in: [...ids] } } as object, OPTIONS).toArray()) as unknown as T[];
  return new Map(found.map((one) => [one._id, one]));
}

async function write<T extends Marked>(collection: Collection<T>, steps: readonly Step<T>[]): Promise<boolean> {
  if (steps.length === 0) return true;
  const writes = steps.map(({ from, to }) =>
    from
      ? { replaceOne: { filter: { _id: from._id, mark: from.mark }, replacement: to } }
      : { insertOne: { document: to } },
  ) as unknown as AnyBulkWriteOperation<T>[];
  try {
    const written = await collection.bulkWrite(writes, { ordered: false });
    return written.matchedCount + written.insertedCount === steps.length;
  } catch (error) {
    if (failedWrites(error).every(isDuplicate)) return false;
    throw error;
  }
}
