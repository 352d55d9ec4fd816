import type { Collections } from '#src/db/schema/collections.js';
import type { ArtifactSpace } from '#src/db/schema/documents.js';

/*
 * How much each project has stored: a counter beside the files, so that a write need not add them up. It may be off after
 * a crash or a removal, and is put right by counting: when it is old, and before anything is refused for it.
 */

export const STORED_OF_PROJECT = 'stored_of_project';
const COUNTED_ANEW_MS = 10 * 60_000;
/** A full project is counted this often at most, however many files are refused. */
const REFUSAL_COUNTED_MS = 5000;
const EVER_MS = 100 * 365 * 24 * 3_600_000;

type Store = Pick<Collections, 'artifactFiles' | 'artifactSpace'>;

/**
 * Takes space for bytes that are about to be stored.
 * @param limit of the project, in bytes
 * @returns false: the project has no room for them. @throws the driver's error
 */
export async function takeSpace(store: Store, projectId: string, bytes: number, limit: number): Promise<boolean> {
  const take = async (countedWithinMs: number) => {
    const room = { _id: projectId, bytes: { $lte: limit - bytes }, $expr: isCountedWithin(countedWithinMs) };
    return (await store.artifactSpace.updateOne(room, { $inc: { bytes } })).matchedCount > 0;
  };
  if (await take(COUNTED_ANEW_MS)) return true;
  const seen = await store.artifactSpace.findOne<ArtifactSpace & { isFresh: boolean }>(
    { _id: projectId },
    { projection: { bytes: 1, countedAt: 1, isFresh: isCountedWithin(REFUSAL_COUNTED_MS) } },
  );
  if (!seen?.isFresh) await count(store, projectId, seen);
  return take(EVER_MS);
}

/** By the database's clock. @param ms milliseconds */
const isCountedWithin = (ms: number) => ({ $gt: ['$countedAt', { $subtract: ['$$NOW', ms] }] });

/** Puts the counter right, with what others take meanwhile. Of several that count at the same time one is heard. */
async function count(store: Store, projectId: string, seen: ArtifactSpace | null): Promise<void> {
  const stored = await countStored(store, projectId);
  if (seen)
    await store.artifactSpace.updateOne(
      { _id: projectId, countedAt: seen.countedAt },
      { $inc: { bytes: stored - seen.bytes }, $currentDate: { countedAt: true } },
    );
  else
    await store.artifactSpace.updateOne(
      { _id: projectId },
      [{ $set: { bytes: { $ifNull: ['$bytes', stored] }, countedAt: { $ifNull: ['$countedAt', '$$NOW'] } } }],
      { upsert: true },
    );
}

/** @throws the driver's error */
export async function giveSpaceBack(
  { artifactSpace }: Pick<Store, 'artifactSpace'>,
  projectId: string,
  bytes: number,
): Promise<void> {
  if (bytes > 0) await artifactSpace.updateOne({ _id: projectId }, { $inc: { bytes: -bytes } });
}

/** What the files of a project hold, unfinished ones too, in bytes. @throws the driver's error */
export async function countStored({ artifactFiles }: Pick<Store, 'artifactFiles'>, projectId: string): Promise<number> {
  const [sum] = await artifactFiles
    .aggregate<{ bytes: number }>(
      [
        { $match: { 'metadata.projectId': projectId } },
        { $project: { _id: 0, length: 1 } },
        { $group: { _id: null, bytes: { $sum: '$length' } } },
      ],
      { hint: STORED_OF_PROJECT, maxTimeMS: 10_000 },
    )
    .toArray();
  return sum?.bytes ?? 0;
}
