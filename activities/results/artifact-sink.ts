import { createHash } from 'node:crypto';
import type { ArtifactUpload, ArtifactUploads } from '#src/db/artifacts/artifact-uploads.js';
import {
  artifactName,
  FILES_MAX,
  freeName,
  type ArtifactLimits,
  type ArtifactPlace,
} from '#src/domain/runs/artifact.js';
import { MIB } from '#src/lib/bytes.js';
import type { ArtifactSink, NewArtifact, RunLog } from '#activities/runners/runner.js';
import { piecesOf } from './pieces.js';
import { createFileWrites, DatabaseUnavailable, type WriteTimes } from './file-writes.js';
import { createSkippedFiles } from './skipped-files.js';

export interface ArtifactSinkOptions {
  uploads: ArtifactUploads;
  place: ArtifactPlace;
  limits: ArtifactLimits;
  log: RunLog;
  /** Aborted when the attempt is stopped: writes in progress then have 3 s. */
  signal: AbortSignal;
  /** Masks secrets in names. */
  mask?: (text: string) => string;
  times?: WriteTimes;
}

/** A sink with notes for the verdict about files that were not saved. */
export type NotingArtifactSink = ArtifactSink & { notes(): string[] };

/**
 * Saves the files of one delivery. Errors are never the test's failure: files that cannot be saved are skipped, and the
 * log and the notes give the reason.
 */
export function createArtifactSink(options: ArtifactSinkOptions): NotingArtifactSink {
  const { uploads, place, limits, log, mask = (text) => text } = options;
  const writes = createFileWrites(options.signal, options.times);
  const skipped = createSkippedFiles(log);
  const names = new Set<string>();
  let begun: ReturnType<ArtifactUploads['begin']> | undefined;
  /** Totals of all attempts, including files in progress. */
  let runTotal = { files: 0, bytes: 0 };

  const begin = () =>
    (begun ??= writes
      .write(() => uploads.begin(place))
      .then((before) => {
        runTotal = { files: before.files, bytes: before.bytes };
        return before;
      }));
  // `begin` deletes the files of lost deliveries, even if this one saves none.
  if (place.delivery > 1) void begin().catch(() => {});

  /**
   * @returns why a file of this length is not saved.
   * @param uncounted bytes of it that the total does not include yet
   */
  function refusal(length: number, uncounted: number): string | undefined {
    if (length > limits.fileBytes)
      return `it is larger than ${mib(limits.fileBytes)}, the maximum size of a file (RUNHOOK_ARTIFACT_FILE_MIB of the worker)`;
    if (runTotal.bytes + uncounted > limits.runBytes)
      return `the files of the run exceed ${mib(limits.runBytes)} in total (RUNHOOK_ARTIFACT_RUN_MIB of the worker)`;
    return undefined;
  }

  /** @returns why the file was not saved */
  async function store(
    upload: ArtifactUpload,
    { content }: NewArtifact,
    counted: { bytes: number },
    projectLimit: number,
  ) {
    const hash = createHash('sha256');
    let number = 0;
    for await (const piece of piecesOf(content, uploads.chunkBytes, writes.ended)) {
      const why = refusal(counted.bytes + piece.length, piece.length);
      if (why) return why;
      counted.bytes += piece.length;
      runTotal.bytes += piece.length;
      hash.update(piece);
      const at = number++;
      const outcome = await writes.write(() => upload.write(piece, at));
      if (outcome === 'full')
        return `the files of the project exceed ${mib(projectLimit)} in total (Settings → Limits). Space is freed when older runs expire`;
      if (outcome === 'gone') return REMOVED;
    }
    const sha256 = hash.digest('hex');
    return (await writes.write(() => upload.finish(sha256))) ? undefined : REMOVED;
  }

  /** @returns why the file was not saved */
  async function keep(file: NewArtifact, requestedName: string): Promise<string | undefined> {
    const { projectLimit } = await begin();
    if (runTotal.files >= FILES_MAX) return `the run already has ${FILES_MAX} files, the maximum`;
    const size = Buffer.isBuffer(file.content) ? file.content.length : file.size;
    const tooMuch = size === undefined ? undefined : refusal(size, size);
    if (tooMuch) return tooMuch;
    const name = freeName(requestedName, (existing) => names.has(existing));
    names.add(name);
    runTotal.files++;
    const counted = { bytes: 0 };
    const upload = uploads.open(place, { name, contentType: file.contentType }, projectLimit);
    let isKept = false;
    try {
      const why = await store(upload, file, counted, projectLimit);
      isKept = why === undefined;
      return why;
    } finally {
      if (!isKept) {
        names.delete(name);
        runTotal.files--;
        runTotal.bytes -= counted.bytes;
        // If the database is unavailable, the incomplete file is deleted with the run.
        await writes.write(() => upload.abandon()).catch(() => {});
      }
    }
  }

  return {
    async add(file) {
      const shown = mask(file.name);
      const name = artifactName(shown);
      try {
        const why =
          name === undefined ? 'its name is not a relative path of up to 1,000 characters' : await keep(file, name);
        if (why) await skipped.add(shown, why);
        return why === undefined;
      } catch (error) {
        await skipped.add(shown, reasonOf(error));
        return false;
      } finally {
        if (!Buffer.isBuffer(file.content)) file.content.destroy();
      }
    },
    notes: () => skipped.texts(),
  };
}

const REMOVED = 'it was removed, or part of it was lost, while it was being stored';
const mib = (bytes: number) => `${Math.round((bytes / MIB) * 100) / 100} MiB`;

function reasonOf(error: unknown): string {
  if (error instanceof DatabaseUnavailable) return error.message;
  const { code, message } = error as NodeJS.ErrnoException;
  return `it could not be read (${code ?? message})`;
}
