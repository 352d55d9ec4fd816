import type { ObjectId } from 'mongodb';
import { deleteChunks } from './artifacts.js';
import type { Collections } from '#src/db/schema/collections.js';

/** Chunks per page, read from an index alone. */
const PAGE = 1000;
const PAGES = 100;

export type OrphanedChunks = ReturnType<typeof createOrphanedChunks>;

/** Removes content whose file was removed during its upload. */
export function createOrphanedChunks(
  collections: Pick<Collections, 'artifactFiles' | 'artifactChunks'>,
  { page = PAGE, pages = PAGES } = {},
) {
  const { artifactFiles, artifactChunks } = collections;
  let after: ObjectId | undefined;

  /** The file ids of the next page of chunks. */
  async function nextIds(): Promise<ObjectId[]> {
    const chunks = await artifactChunks
      .find(after ? { files_id: { $gt: after } } : {}, {
        projection: { _id: 0, files_id: 1 },
        sort: { files_id: 1, n: 1 },
        hint: { files_id: 1, n: 1 },
      })
      .limit(page)
      .toArray();
    const ids = new Map(chunks.map(({ files_id: id }) => [id.toHexString(), id]));
    after = chunks.length < page ? undefined : chunks.at(-1)!.files_id;
    return [...ids.values()];
  }

  return {
    /**
     * Checks a part of the bucket; the next call continues after it, and starts over at the end. A file's document is
     * written before its content, so content without a document stays orphaned.
     * @param onBatch called between two operations
     * @returns the number of files whose content was removed. @throws the driver's error
     */
    async remove(onBatch: () => Promise<void>) {
      let removed = 0;
      for (let looked = 0; looked < pages; looked++) {
        const ids = await nextIds();
        const files = await artifactFiles
          .find({ _id: { $in: ids } }, { projection: { _id: 1 }, hint: '_id_' })
          .toArray();
        const known = new Set(files.map(({ _id }) => _id.toHexString()));
        for (const id of ids.filter((one) => !known.has(one.toHexString()))) {
          await deleteChunks(artifactChunks, id, onBatch);
          removed++;
        }
        if (after === undefined) return removed;
        await onBatch();
      }
      return removed;
    },
  };
}
