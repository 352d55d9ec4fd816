import { Readable } from 'node:stream';
import { ObjectId, type Filter } from 'mongodb';
import { FILES_MAX } from '#src/domain/runs/artifact.js';
import type { Collections } from '#src/db/schema/collections.js';
import type { ArtifactChunk, ArtifactFile } from '#src/db/schema/documents.js';
import { deleteInBatches } from '#src/db/query/delete-in-batches.js';

/* Files of runs in the GridFS bucket `artifacts`. A file belongs to the run `metadata.runId`, and is removed with it. */

type Store = Pick<Collections, 'artifactFiles' | 'artifactChunks'>;

/** Chunks have 1 MiB each. */
const DELETE_BATCH = 20;
const FILES_BATCH = 20;

/**
 * Removes the files of runs, unfinished uploads included.
 * @param onBatch called between two operations
 * @throws the driver's error
 */
export async function removeArtifacts(
  store: Store,
  runIds: readonly string[],
  onBatch?: () => Promise<void>,
): Promise<void> {
  await removeFiles(store, { 'metadata.runId': { $in: [...runIds] } }, onBatch);
}

/**
 * Removes files, content first, so that a crash leaves no orphaned content.
 * @param onBatch called between two operations
 * @throws the driver's error
 */
export async function removeFiles(
  { artifactFiles, artifactChunks }: Store,
  which: Filter<ArtifactFile>,
  onBatch: () => Promise<void> = async () => {},
): Promise<void> {
  for (let found = FILES_BATCH; found === FILES_BATCH;) {
    const files = await artifactFiles
      .find(which, { projection: { _id: 1 }, hint: 'artifacts_of_run' })
      .limit(FILES_BATCH)
      .toArray();
    found = files.length;
    for (const { _id } of files) {
      await deleteChunks(artifactChunks, _id, onBatch);
      await artifactFiles.deleteOne({ _id });
    }
    if (found === FILES_BATCH) await onBatch();
  }
}

/** Removes a file's content. @param onBatch called between two operations @throws the driver's error */
export async function deleteChunks(
  artifactChunks: Store['artifactChunks'],
  fileId: ObjectId,
  onBatch: () => Promise<void> = async () => {},
): Promise<void> {
  await deleteInBatches(artifactChunks, { files_id: fileId }, { size: DELETE_BATCH, onBatch });
}

/** More than a run can have, unfinished uploads included. */
const LISTED_MAX = 2 * FILES_MAX;

/**
 * The files of a run, latest attempt first, by name. Only those of the last delivery of each attempt.
 * @throws the driver's error when the database does not answer in time
 */
export async function listArtifacts(
  { artifactFiles }: Pick<Collections, 'artifactFiles'>,
  runId: string,
): Promise<ArtifactFile[]> {
  const files = await artifactFiles
    .find({ 'metadata.runId': runId }, { maxTimeMS: 2000, hint: 'artifacts_of_run' })
    .limit(LISTED_MAX)
    .toArray();
  const deliveries = new Map<number, number>();
  for (const { metadata } of files)
    deliveries.set(attemptOf(metadata), Math.max(deliveries.get(attemptOf(metadata)) ?? 0, metadata.delivery ?? 0));
  return files
    .filter(({ metadata }) => !metadata.uploading && (metadata.delivery ?? 0) === deliveries.get(attemptOf(metadata)))
    .sort((a, b) => attemptOf(b.metadata) - attemptOf(a.metadata) || a.filename.localeCompare(b.filename));
}

const attemptOf = ({ attempt }: ArtifactFile['metadata']) => attempt ?? 0;

export interface OpenedArtifact {
  file: ArtifactFile;
  /** Read a chunk at a time. */
  content: Readable;
}

/** A file of a run with its content. @throws the driver's error when the database does not answer in time */
export async function openArtifact(store: Store, runId: string, id: string): Promise<OpenedArtifact | undefined> {
  if (!ObjectId.isValid(id)) return undefined;
  const file = await store.artifactFiles.findOne(
    { _id: new ObjectId(id), 'metadata.runId': runId, 'metadata.uploading': { $exists: false } },
    { maxTimeMS: 2000, hint: '_id_' },
  );
  return file ? opened(store, file) : undefined;
}

/** A file of an attempt by name, with its content. @throws the driver's error when the database does not answer in time */
export async function openArtifactByName(
  store: Store,
  { runId, attempt }: { runId: string; attempt: number },
  name: string,
): Promise<OpenedArtifact | undefined> {
  const file = await store.artifactFiles.findOne(
    { 'metadata.runId': runId, 'metadata.attempt': attempt, filename: name, 'metadata.uploading': { $exists: false } },
    { maxTimeMS: 2000, hint: 'artifacts_of_run', sort: { 'metadata.delivery': -1 } },
  );
  return file ? opened(store, file) : undefined;
}

function opened({ artifactChunks }: Store, file: ArtifactFile): OpenedArtifact {
  const chunks = artifactChunks.find({ files_id: file._id }, { batchSize: 1 }).sort({ n: 1 });
  return { file, content: Readable.from(contentOf(chunks), { objectMode: false }) };
}

async function* contentOf(chunks: AsyncIterable<ArtifactChunk>): AsyncGenerator<Uint8Array> {
  for await (const { data } of chunks) yield data.buffer;
}
