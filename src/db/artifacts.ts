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
  metadata: { runId: string };
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
