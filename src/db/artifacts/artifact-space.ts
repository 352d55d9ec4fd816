import type { Collections } from '#src/db/schema/collections.js';
import type { ArtifactSpace } from '#src/db/schema/documents.js';

/*
 * A counter of each project's stored bytes, so that a write does not have to add up all files. It may drift after a crash
 * or a removal, so it is recounted when it is old, and before an upload is refused.
 */

export const STORED_OF_PROJECT = 'stored_of_project';
const RECOUNT_MS = 10 * 60_000;
/** Minimum interval between recounts of a full project. */
const REFUSAL_RECOUNT_MS = 5000;
const EVER_MS = 100 * 365 * 24 * 3_600_000;

type Store = Pick<Collections, 'artifactFiles' | 'artifactSpace'>;

/**
 * Reserves space for bytes that are about to be stored.
 * @param limit of the project, in bytes
 * @returns false when the project's storage is full. @throws the driver's error
 */
export async function reserveSpace(store: Store, projectId: string, bytes: number, limit: number): Promise<boolean> {
  const reserve = async (countedWithinMs: number) => {
    const room = { _id: projectId, bytes: { $lte: limit - bytes }, $expr: isCountedWithin(countedWithinMs) };
    return (await store.artifactSpace.updateOne(room, { $inc: { bytes } })).matchedCount > 0;
  };
  if (await reserve(RECOUNT_MS)) return true;
  const seen = await store.artifactSpace.findOne<ArtifactSpace & { isFresh: boolean }>(
    { _id: projectId },
    { projection: { bytes: 1, countedAt: 1, isFresh: isCountedWithin(REFUSAL_RECOUNT_MS) } },
  );
  if (!seen?.isFresh) await count(store, projectId, seen);
  return reserve(EVER_MS);
}

/** By the database's clock. */
const isCountedWithin = (ms: number) => ({ $gt: ['$countedAt', { $subtract: ['$$NOW', ms] }] });

/** Corrects the counter without losing concurrent reservations. Only one of several concurrent recounts is applied. */
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
export async function releaseSpace(
  { artifactSpace }: Pick<Store, 'artifactSpace'>,
  projectId: string,
  bytes: number,
): Promise<void> {
  if (bytes > 0) await artifactSpace.updateOne({ _id: projectId }, { $inc: { bytes: -bytes } });
}

/** Bytes of a project's files, unfinished uploads included. @throws the driver's error */
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
