import { Binary, ObjectId } from 'mongodb';
import type { ArtifactPlace } from '#src/domain/runs/artifact.js';
import { MIB } from '#src/lib/bytes.js';
import { releaseSpace, reserveSpace } from './artifact-space.js';
import { deleteChunks, removeFiles } from './artifacts.js';
import type { ArtifactFile } from '#src/db/schema/documents.js';
import type { Collections } from '#src/db/schema/collections.js';

/*
 * Uploads to the bucket. The file's document is written first, marked `uploading`, and listed once its content is
 * complete. Content that a crash leaves is removed with the run. Every write is idempotent.
 */

const CHUNK_BYTES = MIB;
const DUPLICATE_KEY = 11_000;

export interface ArtifactUploads {
  /** Size of a chunk; the last one of a file may be shorter. */
  chunkBytes: number;
  /**
   * Removes the files of earlier deliveries of this attempt, then counts the run's files of all attempts.
   * @returns `projectLimit` in bytes. @throws the driver's error
   */
  begin(place: ArtifactPlace): Promise<{ files: number; bytes: number; projectLimit: number }>;
  /** Does not write anything yet. */
  open(place: ArtifactPlace, file: { name: string; contentType: string }, projectLimit: number): ArtifactUpload;
}

export interface ArtifactUpload {
  /**
   * Stores the next chunk. A chunk can be written again.
   * @returns `full`: the project's storage is full; `gone`: the file was removed meanwhile. @throws the driver's error
   */
  write(chunk: Buffer, number: number): Promise<'written' | 'full' | 'gone'>;
  /**
   * Makes the file visible. @returns false when a part of it was removed or lost in a database failure: abandon it then.
   * @throws the driver's error
   */
  finish(sha256: string): Promise<boolean>;
  /** Removes what was stored of the file. @throws the driver's error */
  abandon(): Promise<void>;
}

/** @param defaultProjectBytes limit of projects without their own */
export function createArtifactUploads(collections: Collections, defaultProjectBytes: number): ArtifactUploads {
  const { artifactFiles, projects } = collections;
  return {
    chunkBytes: CHUNK_BYTES,

    async begin({ runId, projectId, attempt, delivery }) {
      if (delivery > 1)
        await removeFiles(collections, {
          'metadata.runId': runId,
          'metadata.attempt': attempt,
          'metadata.delivery': { $lt: delivery },
        });
      const [project, files] = await Promise.all([
        projects.findOne({ _id: projectId }, { projection: { limits: 1 } }),
        artifactFiles
          .find({ 'metadata.runId': runId }, { projection: { length: 1 }, hint: 'artifacts_of_run' })
          .toArray(),
      ]);
      const ownMib = project?.limits?.artifactsMib;
      return {
        files: files.length,
        bytes: files.reduce((sum, { length }) => sum + length, 0),
        projectLimit: ownMib === undefined ? defaultProjectBytes : ownMib * MIB,
      };
    },

    open: (place, file, projectLimit) => openUpload(collections, place, file, projectLimit),
  };
}

function openUpload(
  collections: Collections,
  place: ArtifactPlace,
  { name, contentType }: { name: string; contentType: string },
  projectLimit: number,
): ArtifactUpload {
  const { artifactFiles, artifactChunks } = collections;
  const { projectId } = place;
  const _id = new ObjectId();
  const metadata: ArtifactFile['metadata'] = { ...place, contentType };
  const pieces: { length: number; isReserved: boolean }[] = [];

  /** Keeps the file's length current, so that the upload counts as stored. @returns false when the file was removed */
  async function setLength(number: number): Promise<boolean> {
    const length = lengthOf(pieces);
    const begun = { filename: name, chunkSize: CHUNK_BYTES, metadata: { ...metadata, uploading: true as const } };
    const { matchedCount, upsertedCount } = await artifactFiles.updateOne(
      { _id },
      { $set: { length }, ...(number === 0 ? { $setOnInsert: begun, $currentDate: { uploadDate: true } } : {}) },
      { upsert: number === 0 },
    );
    return matchedCount + upsertedCount > 0;
  }

  /** Chunks are written without waiting for replication or the disk, so a database failure may lose one. */
  const isComplete = async () => (await artifactChunks.countDocuments({ files_id: _id })) === pieces.length;

  return {
    async write(chunk, number) {
      const piece = (pieces[number] ??= { length: chunk.length, isReserved: false });
      piece.isReserved ||= await reserveSpace(collections, projectId, chunk.length, projectLimit);
      if (!piece.isReserved) return 'full';
      if (!(await setLength(number))) return 'gone';
      await artifactChunks
        .insertOne({ _id: new ObjectId(), files_id: _id, n: number, data: new Binary(chunk) })
        .catch(ignoreRepeated);
      return 'written';
    },

    async finish(sha256) {
      if (pieces.length === 0) await setLength(0);
      if (!(await isComplete())) return false;
      const { matchedCount } = await artifactFiles.updateOne(
        { _id },
        { $set: { length: lengthOf(pieces), metadata: { ...metadata, sha256 } }, $currentDate: { uploadDate: true } },
      );
      // This write waited for replication of all earlier ones, so chunks that exist now are durable.
      return matchedCount > 0 && (await isComplete());
    },

    async abandon() {
      if (pieces.length === 0) return;
      await deleteChunks(artifactChunks, _id);
      await artifactFiles.deleteOne({ _id });
      await releaseSpace(collections, projectId, lengthOf(pieces.splice(0).filter(({ isReserved }) => isReserved)));
    },
  };
}

const lengthOf = (pieces: readonly { length: number }[]) => pieces.reduce((sum, { length }) => sum + length, 0);

/** Ignores a duplicate chunk: the response to its first write was lost. */
function ignoreRepeated(error: { code?: number }): void {
  if (error.code !== DUPLICATE_KEY) throw error;
}
