import type { Collections } from '#src/db/schema/collections.js';
import { upsertOrRetry } from '#src/db/query/duplicate-key.js';

/**
 * Allocates the number of a change that is about to be written. Call it after reading the state that the change
 * replaces, so that the numbers of a test increase with its revisions. An unused number is harmless.
 * @throws the driver's error when the database does not answer
 */
export async function nextChangeNumber(
  { changeNumbers }: Pick<Collections, 'changeNumbers'>,
  projectId: string,
): Promise<number> {
  const options = { upsert: true, returnDocument: 'after' } as const;
  const counter = await upsertOrRetry(() =>
    changeNumbers.findOneAndUpdate({ _id: projectId }, { $inc: { value: 1 } }, options),
  );
  return counter!.value;
}
