import type { Collections } from '#src/db/schema/collections.js';
import { deleteInBatches } from '#src/db/query/delete-in-batches.js';
import { upsertOrRetry } from '#src/db/query/duplicate-key.js';

const MAX_TIME_MS = 1000;
const DELETE_BATCH = 1000;

export type SignInLimitStore = ReturnType<typeof createSignInLimitStore>;

/** Windows begin and end by the database's clock. Each call throws the driver's error when the database does not answer in time. */
export function createSignInLimitStore({ signInLimits }: Pick<Collections, 'signInLimits'>) {
  async function add(key: string, windowMs: number) {
    const isOver = { $lte: [{ $ifNull: ['$expire', '$$NOW'] }, '$$NOW'] };
    const counted = await signInLimits.findOneAndUpdate(
      { key },
      [
        {
          $set: {
            points: { $add: [{ $cond: [isOver, 0, '$points'] }, 1] },
            expire: { $cond: [isOver, { $add: ['$$NOW', windowMs] }, '$expire'] },
            at: '$$NOW',
          },
        },
      ],
      { upsert: true, returnDocument: 'after', maxTimeMS: MAX_TIME_MS },
    );
    const { points, expire, at } = counted!;
    return { points, msLeft: expire.getTime() - at!.getTime() };
  }

  return {
    /** Increments the count of a key, or starts a new window. @returns the new count and the time left */
    add: (key: string, windowMs: number) => upsertOrRetry(() => add(key, windowMs)),
    decrement: async (key: string): Promise<void> =>
      void (await signInLimits.updateOne({ key, points: { $gt: 0 } }, { $inc: { points: -1 } })),
    remove: async (key: string): Promise<void> => void (await signInLimits.deleteOne({ key })),
    removeExpired: (now: Date) => deleteInBatches(signInLimits, { expire: { $lte: now } }, { size: DELETE_BATCH }),
  };
}
