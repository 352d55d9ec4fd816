import type { Collections } from '#src/db/schema/collections.js';
import { isDuplicateKey } from '#src/db/query/duplicate-key.js';

/**
 * Allocates the number of a change that is about to be written. Call it after reading the state that the change
 * replaces, so that the numbers of a test increase with its revisions. An unused number is harmless.
 * @throws the driver's error when the database does not answer
 */
export async function nextChangeNumber(
  { changeNumbers }: Pick<Collections, 'changeNumbers'>,
  projectId: string,
): Promise<number> {
  const increment = () =>
    changeNumbers.findOneAndUpdate(
      { _id: projectId },
      { $inc: { value: 1 } },
      { upsert: true, returnDocument: 'after' },
    );
  const counter = await increment().catch((error: unknown) => {
    // Another process has just created the project's counter.
    if (isDuplicateKey(error)) return increment();
    throw error;
  });
  return counter!.value;
}
