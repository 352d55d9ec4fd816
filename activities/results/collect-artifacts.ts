import { addAbortSignal } from 'node:stream';
import pMap from 'p-map';
import { FILES_MAX } from '#src/domain/runs/artifact.js';
import { GlobError, parseGlobs, type Glob } from '#src/domain/targets/glob.js';
import { findFiles } from '#activities/files/find-files.js';
import { openInside, type FileRoot } from '#activities/files/open-inside.js';
import type { ArtifactSink, RunLog } from '#activities/runners/runner.js';
import { contentTypeOf } from './content-type.js';

/** For all globs and their files together. */
const DEADLINE_MS = 5 * 60_000;
/** Concurrent files: most are small, and each waits for the database. */
const CONCURRENCY = 4;
/** File times lag behind the clock by up to 10 ms. */
const SLACK_MS = 20;
/** Folders whose files the test did not write. */
const SKIPPED_FOLDERS = ['node_modules', '.git'];
/** More than a run may have, because some may be refused. */
const OPENED_MAX = 2 * FILES_MAX;

export interface CollectOptions {
  /** Aborted when the attempt is stopped; no further files are saved then. */
  signal: AbortSignal;
  log: RunLog;
  /**
   * When the attempt began, in ms since 1970: in a folder that stays, older files are an earlier run's, and not kept.
   /**
    * Start of the attempt in ms since 1970. Older files in a persistent folder belong to an earlier run and are not
    * saved.
    */
  since?: number;
  deadlineMs?: number;
}

/**
 * Saves the files below a folder that match globs. The name of a folder matches all files in it; hidden files only
 * match patterns with an explicit dot. Symbolic links and special files are skipped and logged.
 * @returns notes for the verdict: no match, too many files, or out of time; the sink has notes of its own
 */
export async function collectArtifacts(
  globs: readonly string[],
  of: FileRoot,
  sink: ArtifactSink,
  { signal, log, since = 0, deadlineMs = DEADLINE_MS }: CollectOptions,
): Promise<string[]> {
  const parsed = parse(globs);
  if ('note' in parsed) return [parsed.note];
  let old = 0;
  const late = new AbortController();
  const giveUp = () => late.abort();
  const timer = setTimeout(giveUp, deadlineMs);
  if (signal.aborted) giveUp();
  else signal.addEventListener('abort', giveUp, { once: true });

  async function keep(path: string): Promise<void> {
    const file = await openInside(of, path);
    if ('refused' in file) {
      await log.write('system', `The file ${JSON.stringify(path)} was not saved: ${file.refused}.\n`);
      return;
    }
    const { size } = file;
    if (file.changedAt < since - SLACK_MS) {
      old++;
      if (!Buffer.isBuffer(file.content)) file.content.destroy();
      return;
    }
    const content = Buffer.isBuffer(file.content) ? file.content : addAbortSignal(late.signal, file.content);
    await sink.add({ name: path, contentType: contentTypeOf(path), content, size });
  }

  try {
    const found = await matchesOf(parsed.globs, of, late.signal);
    const keepInTime = async (path: string) => {
      if (!late.signal.aborted) await keep(path);
    };
    await pMap(found.slice(0, OPENED_MAX), keepInTime, { concurrency: CONCURRENCY });
    if (signal.aborted) return [];
    if (late.signal.aborted)
      return [`Saving the artifacts took longer than ${deadlineMs / 1000} s. Some were not saved.`];
    if (found.length === 0) return [`No file in the working folder matches the artifacts ${globs.join(', ')}.`];
    if (found.length > OPENED_MAX)
      return [
        `${found.length} files match the artifacts; only the first ${OPENED_MAX} were checked. Use narrower globs.`,
      ];
    return old > 0
      ? [`${old} ${old === 1 ? 'file was' : 'files were'} not saved: last changed before this attempt started.`]
      : [];
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', giveUp);
  }
}

/** Definitions saved before these rules existed may break them. */
function parse(globs: readonly string[]): { globs: Glob[] } | { note: string } {
  try {
    return { globs: parseGlobs(globs) };
  } catch (error) {
    if (!(error instanceof GlobError)) throw error;
    return {
      note: `No artifacts were saved: one of ${globs.join(', ')} ${error.message}. Correct the test’s artifacts.`,
    };
  }
}

/** Sorted relative paths; none if the search takes too long. */
async function matchesOf(globs: readonly Glob[], of: FileRoot, signal: AbortSignal): Promise<string[]> {
  try {
    return await findFiles(of, globs, { skipFolders: SKIPPED_FOLDERS, foldersMatchContents: true, signal });
  } catch (error) {
    if (signal.aborted) return [];
    throw error;
  }
}
