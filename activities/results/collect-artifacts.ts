import { addAbortSignal } from 'node:stream';
import pMap from 'p-map';
import { FILES_MAX } from '#src/domain/runs/artifact.js';
import { GlobError, parseGlobs, type Glob } from '#src/domain/targets/glob.js';
import { findFiles } from '#activities/files/find-files.js';
import { openInside, type FilesOf } from '#activities/files/open-inside.js';
import type { ArtifactSink, RunLog } from '#activities/runners/runner.js';
import { contentTypeOf } from './content-type.js';

/** For all globs and their files together. */
const DEADLINE_MS = 5 * 60_000;
/** Files at a time: most are small, and each waits for the database. */
const AT_ONCE = 4;
/** The kernel's clock for files is behind by up to 10 ms. */
const SLACK_MS = 20;
/** What others have put there. */
const IGNORED = ['node_modules', '.git'];
/** More than a run may keep: some of them may be refused. */
const OPENED_MAX = 2 * FILES_MAX;

export interface CollectOptions {
  /** Aborted when the attempt is stopped: nothing more is kept then. */
  signal: AbortSignal;
  log: RunLog;
  /** When the attempt began, in ms since 1970: in a folder that stays, older files are an earlier run's, and not kept. */
  since?: number;
  deadlineMs?: number;
}

/**
 * Keeps the files below a folder that globs name. A folder's name stands for all in it; hidden files match only where a glob
 * says the dot. Links are not followed, and what is no regular file below the folder is left out; the log says so.
 * @returns notes for the verdict: no file at all, or too many, or too little time; the sink has its own
 */
export async function collectArtifacts(
  globs: readonly string[],
  of: FilesOf,
  sink: ArtifactSink,
  { signal, log, since = 0, deadlineMs = DEADLINE_MS }: CollectOptions,
): Promise<string[]> {
  const parsed = understood(globs);
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
    await pMap(found.slice(0, OPENED_MAX), keepInTime, { concurrency: AT_ONCE });
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

/** Definitions that are older than the rules for globs may break them. */
function understood(globs: readonly string[]): { globs: Glob[] } | { note: string } {
  try {
    return { globs: parseGlobs(globs) };
  } catch (error) {
    if (!(error instanceof GlobError)) throw error;
    return {
      note: `No artifacts were saved: one of ${globs.join(', ')} ${error.message}. Correct the test’s artifacts.`,
    };
  }
}

/** Relative paths in the order of their names; none when it takes too long. */
async function matchesOf(globs: readonly Glob[], of: FilesOf, signal: AbortSignal): Promise<string[]> {
  try {
    return await findFiles(of, globs, { notIn: IGNORED, foldersStandForAll: true, signal });
  } catch (error) {
    if (signal.aborted) return [];
    throw error;
  }
}
