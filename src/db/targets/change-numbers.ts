import type { Collections } from '#src/db/schema/collections.js';
import { isDuplicateKey } from '#src/db/query/duplicate-key.js';

/**
 * Draws the number of a change that is about to be written. It must be drawn after the state that the change replaces was
 * read, so that the numbers of one test grow with its revisions. A number that is drawn and not used is harmless.
 * @throws the driver's error when the database does not answer
 */
export async function nextChangeNumber(
  { changeNumbers }: Pick<Collections, 'changeNumbers'>,
  projectId: string,
): Promise<number> {
  const draw = () =>
    changeNumbers.findOneAndUpdate(
      { _id: projectId },
      { $inc: { value: 1 } },
      { upsert: true, returnDocument: 'after' },
    );
  const drawn = await draw().catch((error: unknown) => {
    // Two that create the project's counter at the same time: one of them fails, and finds it now.
    if (isDuplicateKey(error)) return draw();
    throw error;
  });
  return drawn!.value;
}
