import type { Collections } from '#src/db/schema/collections.js';
import { deleteInBatches } from '#src/db/query/delete-in-batches.js';
import { isDuplicateKey } from '#src/db/query/duplicate-key.js';

const MAX_TIME_MS = 1000;
const IN_A_DELETE = 1000;

export interface BucketRule {
  perMinute: number;
  /** Most permits that it holds. */
  burst: number;
}

/** Each call throws the driver's error when the database does not answer in time. */
export interface RateBuckets {
  /**
   * Takes up to `wanted` permits, whole ones, in one update.
   * @returns how many, and how many (with fractions) are left
   */
  draw(id: string, rule: BucketRule, wanted: number): Promise<{ granted: number; left: number }>;
  /** Gives permits back that were not used. */
  giveBack(id: string, rule: BucketRule, permits: number): Promise<void>;
  /** Removes those that were last drawn from before this moment: they are full, as new ones are. */
  removeIdle(before: Date): Promise<void>;
}

export function createRateBuckets({ rateBuckets }: Pick<Collections, 'rateBuckets'>): RateBuckets {
  async function draw(id: string, { perMinute, burst }: BucketRule, wanted: number) {
    const sinceMs = { $max: [0, { $subtract: ['$$NOW', { $ifNull: ['$at', '$$NOW'] }] }] };
    const refilled = { $add: [{ $ifNull: ['$permits', burst] }, { $multiply: [sinceMs, perMinute / 60_000] }] };
    const drawn = await rateBuckets.findOneAndUpdate(
      { _id: id },
      [
        { $set: { permits: { $min: [burst, refilled] }, at: { $max: ['$$NOW', '$at'] } } },
        { $set: { granted: { $min: [wanted, { $floor: '$permits' }] } } },
        { $set: { permits: { $subtract: ['$permits', '$granted'] } } },
      ],
      { upsert: true, returnDocument: 'after', maxTimeMS: MAX_TIME_MS },
    );
    return { granted: drawn!.granted, left: drawn!.permits };
  }

  return {
    async draw(id, rule, wanted) {
      try {
        return await draw(id, rule, wanted);
      } catch (error) {
        // Another server has just made it.
        if (isDuplicateKey(error)) return draw(id, rule, wanted);
        throw error;
      }
    },

    async giveBack(id, { burst }, permits) {
      await rateBuckets.updateOne({ _id: id }, [
        { $set: { permits: { $min: [burst, { $add: ['$permits', permits] }] } } },
      ]);
    },

    removeIdle: (before) => deleteInBatches(rateBuckets, { at: { $lt: before } }, { size: IN_A_DELETE }),
  };
}
