import type { Collections } from '#src/db/schema/collections.js';
import type { Lease } from '#src/db/schema/documents.js';
import { isDuplicateKey } from '#src/db/query/duplicate-key.js';

const MAX_TIME_MS = 2000;

/** The lease of one job. Each call throws the driver's error when the database does not answer in time. */
export interface LeaseStore {
  /** Takes it, or prolongs it. @returns undefined while another holder has it */
  take(ms: number): Promise<Lease | undefined>;
  /** Notes how far the job has come. @returns false when it is not ours any more */
  advance(mark: Date): Promise<boolean>;
  /** Another may take it at once. */
  release(): Promise<void>;
}

/** @param holder unique to the process */
export function createLeaseStore({ leases }: Pick<Collections, 'leases'>, job: string, holder: string): LeaseStore {
  const isOurs = {
    $or: [{ $eq: ['$holder', { $literal: holder }] }, { $lte: [{ $ifNull: ['$until', '$$NOW'] }, '$$NOW'] }],
  };
  const ifOurs = (value: unknown, otherwise: string) => ({ $cond: [isOurs, value, otherwise] });
  return {
    async take(ms) {
      const take = () =>
        leases.findOneAndUpdate(
          { _id: job },
          // Without a change, while another has it, nothing is written.
          [
            {
              $set: {
                holder: ifOurs({ $literal: holder }, '$holder'),
                at: ifOurs('$$NOW', '$at'),
                until: ifOurs({ $add: ['$$NOW', ms] }, '$until'),
              },
            },
          ],
          { upsert: true, returnDocument: 'after', maxTimeMS: MAX_TIME_MS },
        );
      const lease = await take().catch((error: unknown) => {
        // Another has just made it.
        if (isDuplicateKey(error)) return take();
        throw error;
      });
      return lease?.holder === holder ? lease : undefined;
    },

    async advance(mark) {
      const { matchedCount } = await leases.updateOne({ _id: job, holder }, { $set: { mark } });
      return matchedCount === 1;
    },

    async release() {
      await leases.updateOne({ _id: job, holder }, [{ $set: { until: '$$NOW' } }]);
    },
  };
}
