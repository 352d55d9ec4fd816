import type { ObjectId } from 'mongodb';
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
