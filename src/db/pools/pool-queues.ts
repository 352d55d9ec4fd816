import type { Collections } from '#src/db/schema/collections.js';
import { idsOf } from '#src/db/query/ids-of.js';
import { GROWN_MODIFIED } from '#src/db/runs/run-status-store.js';

/** Hinted, because the planner prefers indexes with which it reads every queued run. */
export const QUEUE_OF_POOL = 'queue_of_pool';

const OPTIONS = { hint: QUEUE_OF_POOL, maxTimeMS: 2000 };
/** Reasons written by `explain`. A prefix, so that the index is used. */
const NO_RUNNER = /^no runner in pool /;

export type PoolQueues = ReturnType<typeof createPoolQueues>;

/**
 * Queued and running test runs by pool, and their reason for waiting while a pool has no runner.
 * Each call throws the driver's error when the database does not answer.
 */
export function createPoolQueues({ runs }: Pick<Collections, 'runs'>) {
  const ids = (filter: object, limit: number) => idsOf(runs, { ...filter, status: 'queued' }, { ...OPTIONS, limit });

  return {
    /** Pools that have a queued run. */
    async pools() {
      const groups = await runs
        .aggregate<{ _id: string }>(
          [{ $match: { status: 'queued', 'definition.pool': { $gte: '' } } }, { $group: { _id: '$definition.pool' } }],
          OPTIONS,
        )
        .toArray();
      return groups.map(({ _id }) => _id);
    },

    lengths: () =>
      runs
        .aggregate<{ pool: string; queued: number }>(
          [
            { $match: { status: 'queued', 'definition.pool': { $gte: '' } } },
            { $group: { _id: '$definition.pool', queued: { $sum: 1 } } },
            { $project: { _id: 0, pool: '$_id', queued: 1 } },
          ],
          OPTIONS,
        )
        .toArray(),

    /** Counts the running tests of a pool, up to `limit`. */
    countRunning: (pool: string, limit: number) =>
      runs.countDocuments(
        { status: 'running', 'definition.pool': pool },
        { hint: 'status', limit, maxTimeMS: OPTIONS.maxTimeMS },
      ),

    /**
     * Sets the reason of up to `limit` runs of the pool that have none.
     * @param since the last heartbeat of a runner; default: each run's own trigger
     * @returns how many runs had none; `limit`: there may be more
     */
    async explain(pool: string, since: Date | undefined, limit: number) {
      const unexplained = await ids({ 'definition.pool': pool, reason: null }, limit);
      if (unexplained.length === 0) return 0;
      const date = since ? { $literal: since } : '$queuedAt';
      const time = { $dateToString: { date, format: '%Y-%m-%dT%H:%M:%S.%LZ' } };
      const reason = { $concat: [{ $literal: `no runner in pool ${pool} since ` }, time] };
      // Guarded: a runner may have started it meanwhile.
      await runs.updateMany({ _id: { $in: unexplained }, status: 'queued', reason: { $exists: false } }, [
        { $set: { reason, modified: GROWN_MODIFIED } },
      ]);
      return unexplained.length;
    },

    /** Removes that reason from up to `limit` runs of these pools. @returns like explain */
    async clear(pools: string[], limit: number) {
      if (pools.length === 0) return 0;
      const explained = await ids({ 'definition.pool': { $in: pools }, reason: NO_RUNNER }, limit);
      if (explained.length === 0) return 0;
      await runs.updateMany({ _id: { $in: explained }, status: 'queued', reason: NO_RUNNER }, [
        { $set: { modified: GROWN_MODIFIED } },
        { $unset: 'reason' },
      ]);
      return explained.length;
    },
  };
}
