import type { Document } from 'mongodb';
import type { WorkerRecord } from '#src/domain/records.js';
import { deleteInBatches } from '#src/db/query/delete-in-batches.js';
import { literals } from '#src/db/query/literals.js';
import type { Collections } from '#src/db/schema/collections.js';

/*
 * Who is there to run tests. Temporal's own list of pollers is no use for this: a busy worker whose slots are all taken
 * does not poll and is not in it, and a dead one stays in it for five minutes. All times are by the database's clock.
 */

/** Three signs missed and a little more, in ms. */
const ALIVE_MS = 35_000;
/** How long a worker that is gone is remembered, in ms: "no runner since" goes back as far. */
const KEPT_MS = 7 * 24 * 3_600_000;
const MAX_TIME_MS = 2000;
const IN_A_DELETE = 1000;

/** What a worker says of itself. */
export type WorkerFacts = Omit<WorkerRecord, 'startedAt' | 'seenAt' | 'stoppedAt'>;

/** The live workers of one pool. */
export interface LivePool {
  pool: string;
  runners: number;
  /** Tests of the pool that can run at the same time. */
  slots: number;
}

/** A worker process and what its last sign says. */
export interface SeenWorker extends WorkerRecord {
  isLive: boolean;
  /** Since the last sign, by the database's clock. */
  agoMs: number;
}

export interface Sign {
  at: Date;
  agoMs: number;
}

/** The presence of worker processes. */
export interface WorkerStore {
  /** The worker is there. */
  sign(worker: WorkerFacts): Promise<void>;
  /** The worker takes no new work any more. */
  signOff(id: string): Promise<void>;
  /** Forgets workers that have been gone for a week. */
  removeOld(): Promise<void>;
  /** Pools with at least one live worker. */
  livePools(): Promise<LivePool[]>;
  /** How many workers are alive, of any pool or of none. */
  countLive(): Promise<number>;
  /** The last sign of any worker of the pool; undefined when none was seen for a week. */
  lastSign(pool: string): Promise<Sign | undefined>;
  /** Those that signed last first, dead ones too. */
  seen(limit: number): Promise<SeenWorker[]>;
  /** Every pool that had a worker within a week. */
  knownPools(): Promise<string[]>;
}

const AGE = { $subtract: ['$$NOW', '$seenAt'] };
const AGO_MS = { $toDouble: { $max: [0, AGE] } };
const before = (ms: number): Document => ({ $subtract: ['$$NOW', ms] });
const LIVE: Document = { $expr: { $gte: ['$seenAt', before(ALIVE_MS)] }, stoppedAt: { $exists: false } };

/** Each call throws the driver's error when the database does not answer. */
export function createWorkerStore({ workers }: Pick<Collections, 'workers'>): WorkerStore {
  return {
    async sign({ _id, ...facts }) {
      await workers.updateOne(
        { _id },
        [{ $set: { ...literals(facts), startedAt: { $ifNull: ['$startedAt', '$$NOW'] }, seenAt: '$$NOW' } }],
        { upsert: true },
      );
    },

    signOff: async (_id) =>
      void (await workers.updateOne({ _id }, [{ $set: { seenAt: '$$NOW', stoppedAt: '$$NOW' } }])),

    removeOld: () => deleteInBatches(workers, { $expr: { $lt: ['$seenAt', before(KEPT_MS)] } }, { size: IN_A_DELETE }),

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

    countLive: () => workers.countDocuments(LIVE, { maxTimeMS: MAX_TIME_MS }),

    async lastSign(pool) {
      const [sign] = await workers
        .aggregate<Sign>(
          [
            { $match: { pools: pool } },
            { $sort: { seenAt: -1 } },
            { $limit: 1 },
            { $project: { _id: 0, at: '$seenAt', agoMs: AGO_MS } },
          ],
          { maxTimeMS: MAX_TIME_MS },
        )
        .toArray();
      return sign;
    },

    seen: (limit) =>
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

    knownPools: () => workers.distinct('pools', {}, { maxTimeMS: MAX_TIME_MS }),
  };
}
