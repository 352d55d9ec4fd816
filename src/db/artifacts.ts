import { Readable } from 'node:stream';
import { ObjectId, type Binary } from 'mongodb';
import type { Collections } from './collections.js';

/*
 * Files of runs: the GridFS bucket `artifacts`. The convention is that of `metadata`: a file belongs to the run that
 * `metadata.runId` names, and goes with it.
 */

export interface ArtifactFile {
  _id: ObjectId;
  filename: string;
  length: number;
  uploadDate: Date;
  metadata: { runId: string; contentType?: string };
}

export interface ArtifactChunk {
  _id: ObjectId;
  files_id: ObjectId;
  n: number;
  data: Binary;
}

/** Removes the files of runs: of each the content first, so that a crash leaves no content without its file. */
export async function removeArtifacts(
  { artifactFiles, artifactChunks }: Pick<Collections, 'artifactFiles' | 'artifactChunks'>,
  runIds: readonly string[],
): Promise<void> {
  const files = artifactFiles.find({ 'metadata.runId': { $in: [...runIds] } }, { projection: { _id: 1 } });
  for await (const { _id } of files) {
    await artifactChunks.deleteMany({ files_id: _id });
    await artifactFiles.deleteOne({ _id });
  }
}

/** More than a run has; a bound for the answer. */
const LISTED_MAX = 1000;

/** The files of a run by name, without their content. @throws the driver's error when the database does not answer in time */
export async function listArtifacts(
  { artifactFiles }: Pick<Collections, 'artifactFiles'>,
  runId: string,
): Promise<ArtifactFile[]> {
  const files = await artifactFiles
    .find({ 'metadata.runId': runId }, { maxTimeMS: 2000, hint: 'artifacts_of_run' })
    .limit(LISTED_MAX)
    .toArray();
  return files.sort((a, b) => a.filename.localeCompare(b.filename));
}

/**
 * A file of a run with its content, which is read a chunk at a time.
 * @throws the driver's error when the database does not answer in time
 */
export async function openArtifact(
  { artifactFiles, artifactChunks }: Pick<Collections, 'artifactFiles' | 'artifactChunks'>,
  runId: string,
  id: string,
): Promise<{ file: ArtifactFile; content: Readable } | undefined> {
  if (!ObjectId.isValid(id)) return undefined;
  const file = await artifactFiles.findOne(
    { _id: new ObjectId(id), 'metadata.runId': runId },
    { maxTimeMS: 2000, hint: '_id_' },
  );
  if (!file) return undefined;
  const chunks = artifactChunks.find({ files_id: file._id }, { batchSize: 1 }).sort({ n: 1 });
  return { file, content: Readable.from(contentOf(chunks), { objectMode: false }) };
}

async function* contentOf(chunks: AsyncIterable<ArtifactChunk>): AsyncGenerator<Uint8Array> {
  for await (const { data } of chunks) yield data.buffer;
}
