import { Binary, ObjectId } from 'mongodb';
import type { ArtifactPlace } from '#src/domain/runs/artifact.js';
import { MIB } from '#src/lib/bytes.js';
import { giveSpaceBack, takeSpace } from './artifact-space.js';
import { deleteChunks, removeFiles } from './artifacts.js';
import type { ArtifactFile } from '#src/db/schema/documents.js';
import type { Collections } from '#src/db/schema/collections.js';

/*
 * How files come into the bucket. The file's document is there first, marked `uploading`, and is shown when its content is
 * complete: a crash half-way leaves nothing to see, and what it leaves goes with the run. Every write can be repeated.
 */

/** Content is stored in pieces of this many bytes. */
const CHUNK_BYTES = MIB;
const DUPLICATE_KEY = 11_000;

export interface ArtifactUploads {
  /** Bytes of a piece; the last one of a file may be shorter. */
  chunkBytes: number;
  /**
   * What the run has already, of all attempts. Files that an earlier delivery of this attempt has left are removed first.
   * @returns also what the project may store, in bytes. @throws the driver's error
   */
  begin(place: ArtifactPlace): Promise<{ files: number; bytes: number; projectLimit: number }>;
  /** Writes nothing yet. */
  open(place: ArtifactPlace, file: { name: string; contentType: string }, projectLimit: number): ArtifactUpload;
}

export interface ArtifactUpload {
  /**
   * Stores the next piece. The same piece can be written again.
   * @returns `full`: the project has no room for it; `gone`: the file was removed meanwhile. @throws the driver's error
   */
  write(chunk: Buffer, number: number): Promise<'written' | 'full' | 'gone'>;
  /**
   * Shows the file. @returns false when it, or a piece of it, was removed meanwhile or lost with a server of the database: it
   * is then to be abandoned. @throws the driver's error
   */
  finish(sha256: string): Promise<boolean>;
  /** Removes what is there of it. @throws the driver's error */
  abandon(): Promise<void>;
}

/** @param defaultProjectBytes what a project may store that says nothing itself */
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
  const pieces: { length: number; isPaid: boolean }[] = [];

  /** The file holds what is written of it, so that it is counted. @returns false when it is gone */
  async function setLength(number: number): Promise<boolean> {
    const length = lengthOf(pieces);
    const begun = {
      filename: name,
      chunkSize: CHUNK_BYTES,
      metadata: { ...metadata, uploading: true as const },
    };
    const { matchedCount, upsertedCount } = await artifactFiles.updateOne(
      { _id },
      { $set: { length }, ...(number === 0 ? { $setOnInsert: begun, $currentDate: { uploadDate: true } } : {}) },
      { upsert: number === 0 },
    );
    return matchedCount + upsertedCount > 0;
  }

  /** Pieces are written without waiting for other servers or the disk: one may be lost when a server ends. */
  const isComplete = async () => (await artifactChunks.countDocuments({ files_id: _id })) === pieces.length;

  return {
    async write(chunk, number) {
      const piece = (pieces[number] ??= { length: chunk.length, isPaid: false });
      piece.isPaid ||= await takeSpace(collections, projectId, chunk.length, projectLimit);
      if (!piece.isPaid) return 'full';
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
        {
          $set: { length: lengthOf(pieces), metadata: { ...metadata, sha256 } },
          $currentDate: { uploadDate: true },
        },
      );
      // This write waited for all before it: what is there now stays.
      return matchedCount > 0 && (await isComplete());
    },

    async abandon() {
      if (pieces.length === 0) return;
      await deleteChunks(artifactChunks, _id);
      await artifactFiles.deleteOne({ _id });
      await giveSpaceBack(collections, projectId, lengthOf(pieces.splice(0).filter(({ isPaid }) => isPaid)));
    },
  };
}

const lengthOf = (pieces: readonly { length: number }[]) => pieces.reduce((sum, { length }) => sum + length, 0);

/** A write that was repeated: its first answer was lost. */
function ignoreRepeated(error: { code?: number }): void {
  if (error.code !== DUPLICATE_KEY) throw error;
}
