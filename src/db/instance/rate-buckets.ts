import type { Collections } from '#src/db/schema/collections.js';
import { deleteInBatches } from '#src/db/query/delete-in-batches.js';
import { upsertOrRetry } from '#src/db/query/duplicate-key.js';

const MAX_TIME_MS = 1000;
const DELETE_BATCH = 1000;

export interface BucketRule {
  perMinute: number;
  /** Maximum number of permits in the bucket. */
  burst: number;
}

export type RateBuckets = ReturnType<typeof createRateBuckets>;

/** Each call throws the driver's error when the database does not answer in time. */
export function createRateBuckets({ rateBuckets }: Pick<Collections, 'rateBuckets'>) {
  async function draw(id: string, { perMinute, burst }: BucketRule, requested: number) {
    const sinceMs = { $max: [0, { $subtract: ['$$NOW', { $ifNull: ['$at', '$$NOW'] }] }] };
    const refilled = { $add: [{ $ifNull: ['$permits', burst] }, { $multiply: [sinceMs, perMinute / 60_000] }] };
    const drawn = await rateBuckets.findOneAndUpdate(
      { _id: id },
      [
        { $set: { permits: { $min: [burst, refilled] }, at: { $max: ['$$NOW', '$at'] } } },
        { $set: { granted: { $min: [requested, { $floor: '$permits' }] } } },
        { $set: { permits: { $subtract: ['$permits', '$granted'] } } },
      ],
      { upsert: true, returnDocument: 'after', maxTimeMS: MAX_TIME_MS },
    );
    return { granted: drawn!.granted, left: drawn!.permits };
  }

  return {
    /**
     * Takes up to `requested` whole permits in one update.
     * @returns the permits taken, and those left (may be fractional)
     */
    draw: (id: string, rule: BucketRule, requested: number) => upsertOrRetry(() => draw(id, rule, requested)),

    /** Returns unused permits. */
    async refund(id: string, { burst }: BucketRule, permits: number) {
      await rateBuckets.updateOne({ _id: id }, [
        { $set: { permits: { $min: [burst, { $add: ['$permits', permits] }] } } },
      ]);
    },

    /** Removes buckets not used since `before`: they are full again, like new ones. */
    removeIdle: (before: Date) => deleteInBatches(rateBuckets, { at: { $lt: before } }, { size: DELETE_BATCH }),
  };
}
