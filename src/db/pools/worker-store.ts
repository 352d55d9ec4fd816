import type { Document } from 'mongodb';
import type { WorkerRecord } from '#src/domain/records.js';
import { deleteInBatches } from '#src/db/query/delete-in-batches.js';
import { literals } from '#src/db/query/literals.js';
import type { Collections } from '#src/db/schema/collections.js';

/*
 * Heartbeats of workers. Temporal's list of pollers does not replace them: it omits workers whose slots are all in use,
 * and contains dead ones for five minutes. All times are by the database's clock.
 */

/** A bit more than three heartbeat intervals. */
const ALIVE_MS = 35_000;
/** How long stopped workers are kept, to show "no runner since". */
const KEPT_MS = 7 * 24 * 3_600_000;
const MAX_TIME_MS = 2000;
const DELETE_BATCH = 1000;

/** What a worker reports with a heartbeat. */
export type WorkerFacts = Omit<WorkerRecord, 'startedAt' | 'seenAt' | 'stoppedAt'>;

/** The live workers of one pool. */
export interface LivePool {
  pool: string;
  runners: number;
  /** Tests of the pool that can run at the same time. */
  slots: number;
}

export interface SeenWorker extends WorkerRecord {
  isLive: boolean;
  /** Time since the last heartbeat. */
  agoMs: number;
}

export interface Heartbeat {
  at: Date;
  agoMs: number;
}

export type WorkerStore = ReturnType<typeof createWorkerStore>;

const AGE = { $subtract: ['$$NOW', '$seenAt'] };
const AGO_MS = { $toDouble: { $max: [0, AGE] } };
const before = (ms: number): Document => ({ $subtract: ['$$NOW', ms] });
const LIVE: Document = { $expr: { $gte: ['$seenAt', before(ALIVE_MS)] }, stoppedAt: { $exists: false } };

/** Each call throws the driver's error when the database does not answer. */
export function createWorkerStore({ workers }: Pick<Collections, 'workers'>) {
  return {
    async heartbeat({ _id, ...facts }: WorkerFacts) {
      await workers.updateOne(
        { _id },
        [{ $set: { ...literals(facts), startedAt: { $ifNull: ['$startedAt', '$$NOW'] }, seenAt: '$$NOW' } }],
        { upsert: true },
      );
    },

    /** Records that the worker accepts no more work. */
    markStopped: async (_id: string): Promise<void> =>
      void (await workers.updateOne({ _id }, [{ $set: { seenAt: '$$NOW', stoppedAt: '$$NOW' } }])),

    /** Removes workers without a heartbeat for a week. */
    removeOld: () => deleteInBatches(workers, { $expr: { $lt: ['$seenAt', before(KEPT_MS)] } }, { size: DELETE_BATCH }),

    /** Pools with at least one live worker. */
    livePools: () =>
      workers
        .aggregate<LivePool>(
          [
            { $match: LIVE },
            { $unwind: '$pools' },
            { $group: { _id: '$pools', runners: { $sum: 1 }, slots: { $sum: '$slots' } } },
            { $project: { _id: 0, pool: '$_id', runners: 1, slots: 1 } },
          ],
          { maxTimeMS: MAX_TIME_MS },
        )
        .toArray(),

    /** Counts live workers, including those without a pool. */
    countLive: () => workers.countDocuments(LIVE, { maxTimeMS: MAX_TIME_MS }),

    /** The last heartbeat of any worker of the pool; undefined when there was none for a week. */
    async lastHeartbeat(pool: string) {
      const [last] = await workers
        .aggregate<Heartbeat>(
          [
            { $match: { pools: pool } },
            { $sort: { seenAt: -1 } },
            { $limit: 1 },
            { $project: { _id: 0, at: '$seenAt', agoMs: AGO_MS } },
          ],
          { maxTimeMS: MAX_TIME_MS },
        )
        .toArray();
      return last;
    },

    /** Live and dead workers, latest heartbeat first. */
    seen: (limit: number) =>
      workers
        .aggregate<SeenWorker>(
          [
            { $sort: { seenAt: -1 } },
            { $limit: limit },
            {
              $addFields: {
                agoMs: AGO_MS,
                isLive: { $and: [{ $lte: [AGE, ALIVE_MS] }, { $eq: [{ $type: '$stoppedAt' }, 'missing'] }] },
              },
            },
          ],
          { maxTimeMS: MAX_TIME_MS },
        )
        .toArray(),

    /** Every pool that had a worker within a week. */
    knownPools: () => workers.distinct('pools', {}, { maxTimeMS: MAX_TIME_MS }),
  };
}
