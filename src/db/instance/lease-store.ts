import type { Collections } from '#src/db/schema/collections.js';
import type { Lease } from '#src/db/schema/documents.js';
import { upsertOrRetry } from '#src/db/query/duplicate-key.js';

const MAX_TIME_MS = 2000;

export type LeaseStore = ReturnType<typeof createLeaseStore>;

/**
 * The lease of one job. Each call throws the driver's error when the database does not answer in time.
 * @param holder unique to the process
 */
export function createLeaseStore({ leases }: Pick<Collections, 'leases'>, job: string, holder: string) {
  const isAvailable = {
    $or: [{ $eq: ['$holder', { $literal: holder }] }, { $lte: [{ $ifNull: ['$until', '$$NOW'] }, '$$NOW'] }],
  };
  const ifAvailable = (value: unknown, otherwise: string) => ({ $cond: [isAvailable, value, otherwise] });
  return {
    /** Acquires or extends the lease. @returns undefined while another process holds it */
    async acquire(ms: number): Promise<Lease | undefined> {
      const lease = await upsertOrRetry(() =>
        leases.findOneAndUpdate(
          { _id: job },
          // While another process holds the lease, the update changes nothing, so nothing is written.
          [
            {
              $set: {
                holder: ifAvailable({ $literal: holder }, '$holder'),
                at: ifAvailable('$$NOW', '$at'),
                until: ifAvailable({ $add: ['$$NOW', ms] }, '$until'),
              },
            },
          ],
          { upsert: true, returnDocument: 'after', maxTimeMS: MAX_TIME_MS },
        ),
      );
      return lease?.holder === holder ? lease : undefined;
    },

    /** Records the job's progress. @returns false when the lease is lost */
    async advance(mark: Date) {
      const { matchedCount } = await leases.updateOne({ _id: job, holder }, { $set: { mark } });
      return matchedCount === 1;
    },

    /** Lets other processes acquire it. */
    async release() {
      await leases.updateOne({ _id: job, holder }, [{ $set: { until: '$$NOW' } }]);
    },
  };
}
