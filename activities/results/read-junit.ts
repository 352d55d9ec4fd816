import { GlobError, parseGlob, type Glob } from '#src/domain/targets/glob.js';
import type { CaseCounts } from '#src/domain/runs/test-case.js';
import { findFiles } from '#activities/files/find-files.js';
import { openInside, type FileRoot, type OpenedFile } from '#activities/files/open-inside.js';
import type { JunitCase } from './junit-case-reader.js';
import { createJunitParser } from './junit-parser.js';
import { createCaseKeeper } from './case-keeper.js';
import { readText, UnreadableError } from './read-text.js';

const MAX_FILES = 1000;
/** Total size of all files of an attempt. */
const MAX_MIB = 32;
const MAX_NOTES = 10;
/** Files named in a note. */
const NAMED = 3;
/** File times lag behind the clock by up to 10 ms. */
const SLACK_MS = 20;
/** Folders whose files the test did not write. */
const SKIPPED_FOLDERS = ['node_modules', '.git'];

const EXIT_CODE_ALONE = 'The verdict is based on the exit code only.';

/** The test results of an attempt. */
export interface Results {
  /** In the order of the files; limited in number. */
  cases: JunitCase[];
  /** Counts of all cases. */
  counts: CaseCounts;
  /** The first failed cases: `Cart › adds an item`. */
  failed: string[];
  /** What was missing, omitted or unreadable. */
  notes: string[];
}

const NOTHING = { cases: [], counts: { passed: 0, failed: 0, error: 0, skipped: 0 }, failed: [] };

export interface ResultsSource extends FileRoot {
  /** When the attempt began, in ms since 1970. Files that have not changed since belong to an earlier run. */
  since: number;
  mask(text: string): string;
  signal: AbortSignal;
}

/**
 * Reads the JUnit files below the folder that match a glob, with secrets masked. Links are not followed. Problems
 * become notes; cases that were read before a problem are included.
 * @throws AbortError
 */
export async function readJunit(glob: string, source: ResultsSource): Promise<Results> {
  const { since, mask, signal } = source;
  const parsed = parse(glob);
  if ('refused' in parsed) return { ...NOTHING, notes: [mask(parsed.refused)] };
  const found = await findFiles(source, [parsed], { skipFolders: SKIPPED_FOLDERS, signal });
  const keeper = createCaseKeeper(mask);
  const notes: string[] = [];
  const old: string[] = [];
  let bytesLeft = MAX_MIB * 1024 * 1024;

  async function read(path: string, { content, size }: OpenedFile): Promise<void> {
    const parser = createJunitParser(keeper.add);
    const before = keeper.seen();
    let isReplaced = false;
    try {
      if (size > bytesLeft)
        throw new UnreadableError(`was not read: the results of an attempt exceed ${MAX_MIB} MiB in total`);
      bytesLeft -= size;
      for await (const text of readText(content)) {
        signal.throwIfAborted();
        isReplaced ||= text.includes('\ufffd');
        parser.write(text);
      }
      parser.end();
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error;
      notes.push(`${path} ${error.message}${savedText(keeper.seen() - before)}.`);
    } finally {
      if (!Buffer.isBuffer(content)) content.destroy();
    }
    if (isReplaced) notes.push(`${path} contains bytes that are invalid in its encoding; they are shown as \ufffd.`);
  }

  for (const path of found.slice(0, MAX_FILES)) {
    const file = await openInside(source, path);
    if ('refused' in file) notes.push(`${path} was not read: ${file.refused}.`);
    else if (file.changedAt >= since - SLACK_MS) await read(path, file);
    else {
      old.push(path);
      if (!Buffer.isBuffer(file.content)) file.content.destroy();
    }
  }
  if (old.length > 0) notes.push(`${listOf(old)} ignored: last changed before this attempt started.`);
  if (found.length === 0)
    notes.push(
      `No results: no file in the working folder matches ${glob}. Check where the command writes its JUnit file. Symbolic links are not followed.`,
    );
  else if (keeper.seen() === 0 && notes.length === 0) notes.push(`The files that match ${glob} contain no test cases.`);
  if (found.length > MAX_FILES)
    notes.push(`${found.length} files match ${glob}: the first ${MAX_FILES} were read. Use a narrower glob.`);
  // Without it, users would assume that results contributed to the verdict.
  if (keeper.seen() === 0) notes.push(EXIT_CODE_ALONE);

  const { notes: limitNotes, ...results } = keeper.collected();
  return { ...results, notes: [...notes, ...limitNotes].slice(0, MAX_NOTES).map((note) => mask(note).slice(0, 1000)) };
}

/** Definitions saved before these rules existed may break them. */
function parse(glob: string): Glob | { refused: string } {
  try {
    return parseGlob(glob);
  } catch (error) {
    if (!(error instanceof GlobError)) throw error;
    return {
      refused: `The results were not read: the glob ${glob} ${error.message}. Correct results.junit of the test. ${EXIT_CODE_ALONE}`,
    };
  }
}

function savedText(cases: number): string {
  if (cases === 0) return '';
  return cases === 1 ? '; the case before it was kept' : `; the ${cases} cases before it were kept`;
}

function listOf(paths: readonly string[]): string {
  const more = paths.length - NAMED;
  const names = `${paths.slice(0, NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return `${names} ${paths.length === 1 ? 'was' : 'were'}`;
}
