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
import { createPatience, DatabaseAway, type PatienceTimes } from './patience.js';
import { createLeftOutNotes } from './left-out-notes.js';

export interface ArtifactSinkOptions {
  uploads: ArtifactUploads;
  place: ArtifactPlace;
  limits: ArtifactLimits;
  log: RunLog;
  /** Aborted when the attempt is stopped: what is under way then has 3 s. */
  signal: AbortSignal;
  /** Takes the run's secrets out of names. */
  mask?: (text: string) => string;
  times?: PatienceTimes;
}

/** A sink, and what a person should know of what it has not kept. */
export type NotingArtifactSink = ArtifactSink & { notes(): string[] };

/**
 * Keeps files of one delivery of an attempt with its run. Nothing that goes wrong here is the test's failure: what cannot be
 * kept is left out, and the log and the notes say why.
 */
export function createArtifactSink(options: ArtifactSinkOptions): NotingArtifactSink {
  const { uploads, place, limits, log, mask = (text) => text } = options;
  const patience = createPatience(options.signal, options.times);
  const leftOut = createLeftOutNotes(log);
  const names = new Set<string>();
  let begun: ReturnType<ArtifactUploads['begin']> | undefined;
  /** What it has, of all attempts, with what is under way. */
  let run = { files: 0, bytes: 0 };

  const begin = () =>
    (begun ??= patience
      .write(() => uploads.begin(place))
      .then((before) => {
        run = { files: before.files, bytes: before.bytes };
        return before;
      }));
  // The files of a delivery that was lost are gone even when this one leaves none.
  if (place.delivery > 1) void begin().catch(() => {});

  /** Why a file of so many bytes, of which so many are not counted yet, is not kept. */
  function refusal(length: number, uncounted: number): string | undefined {
    if (length > limits.fileBytes)
      return `it is larger than ${mib(limits.fileBytes)}, the maximum size of a file (RUNHOOK_ARTIFACT_FILE_MIB of the worker)`;
    if (run.bytes + uncounted > limits.runBytes)
      return `the files of the run exceed ${mib(limits.runBytes)} in total (RUNHOOK_ARTIFACT_RUN_MIB of the worker)`;
    return undefined;
  }

  /** @returns why it is not kept */
  async function store(
    upload: ArtifactUpload,
    { content }: NewArtifact,
    counted: { bytes: number },
    projectLimit: number,
  ) {
    const hash = createHash('sha256');
    let number = 0;
    for await (const piece of piecesOf(content, uploads.chunkBytes, patience.ended)) {
      const why = refusal(counted.bytes + piece.length, piece.length);
      if (why) return why;
      counted.bytes += piece.length;
      run.bytes += piece.length;
      hash.update(piece);
      const at = number++;
      const outcome = await patience.write(() => upload.write(piece, at));
      if (outcome === 'full')
        return `the files of the project exceed ${mib(projectLimit)} in total (Settings → Limits). Space is freed when older runs expire`;
      if (outcome === 'gone') return REMOVED;
    }
    const sha256 = hash.digest('hex');
    return (await patience.write(() => upload.finish(sha256))) ? undefined : REMOVED;
  }

  /** @returns why it is not kept */
  async function keep(file: NewArtifact, wanted: string): Promise<string | undefined> {
    const { projectLimit } = await begin();
    if (run.files >= FILES_MAX) return `the run already has ${FILES_MAX} files, the maximum`;
    const size = Buffer.isBuffer(file.content) ? file.content.length : file.size;
    const tooMuch = size === undefined ? undefined : refusal(size, size);
    if (tooMuch) return tooMuch;
    const name = freeName(wanted, (taken) => names.has(taken));
    names.add(name);
    run.files++;
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
        run.files--;
        run.bytes -= counted.bytes;
        // Where the database is away, what is there of it goes with the run.
        await patience.write(() => upload.abandon()).catch(() => {});
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
        if (why) await leftOut.add(shown, why);
        return why === undefined;
      } catch (error) {
        await leftOut.add(shown, reasonOf(error));
        return false;
      } finally {
        if (!Buffer.isBuffer(file.content)) file.content.destroy();
      }
    },
    notes: () => leftOut.texts(),
  };
}

const REMOVED = 'it was removed, or part of it was lost, while it was being stored';
const mib = (bytes: number) => `${Math.round((bytes / MIB) * 100) / 100} MiB`;

function reasonOf(error: unknown): string {
  if (error instanceof DatabaseAway) return error.message;
  const { code, message } = error as NodeJS.ErrnoException;
  return `it could not be read (${code ?? message})`;
}
