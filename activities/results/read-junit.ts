import { GlobError, parseGlob, type Glob } from '#src/domain/targets/glob.js';
import type { CaseCounts } from '#src/domain/runs/test-case.js';
import { findFiles } from '#activities/files/find-files.js';
import { openInside, type FilesOf, type OpenedFile } from '#activities/files/open-inside.js';
import type { JunitCase } from './junit-case.js';
import { createJunitParser } from './junit-parser.js';
import { createCaseKeeper } from './keep-case.js';
import { readText, UnreadableError } from './read-text.js';

const MAX_FILES = 1000;
/** Of all files of an attempt together. */
const MAX_MIB = 32;
const MAX_NOTES = 10;
/** Files named in a note. */
const NAMED = 3;
/** The kernel's clock for files is behind by up to 10 ms. */
const SLACK_MS = 20;
/** What others have put there. */
const IGNORED = ['node_modules', '.git'];

const EXIT_CODE_ALONE = 'The verdict is based on the exit code only.';

/** What the files of an attempt say. */
export interface Results {
  /** In the order of the files; no more than are kept. */
  cases: JunitCase[];
  /** Of all. */
  counts: CaseCounts;
  /** The first that did not pass, in words: `Cart › adds an item`. */
  failed: string[];
  /** What is missing, was left out or could not be read. */
  notes: string[];
}

const NOTHING = { cases: [], counts: { passed: 0, failed: 0, error: 0, skipped: 0 }, failed: [] };

export interface ResultsPlace extends FilesOf {
  /** When the attempt began, in ms since 1970: a file that nobody has written since is an earlier run's. */
  since: number;
  mask(text: string): string;
  signal: AbortSignal;
}

/**
 * Reads the JUnit files that match a glob, below the folder and without following links. What is odd becomes a note; what
 * was read before it stands. Secrets are masked.
 * @throws AbortError
 */
export async function readJunit(glob: string, place: ResultsPlace): Promise<Results> {
  const { since, mask, signal } = place;
  const parsed = understood(glob);
  if ('refused' in parsed) return { ...NOTHING, notes: [mask(parsed.refused)] };
  const found = await findFiles(place, [parsed], { notIn: IGNORED, signal });
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
      notes.push(`${path} ${error.message}${keptText(keeper.seen() - before)}.`);
    } finally {
      if (!Buffer.isBuffer(content)) content.destroy();
    }
    if (isReplaced) notes.push(`${path} contains bytes that are invalid in its encoding; they are shown as \ufffd.`);
  }

  for (const path of found.slice(0, MAX_FILES)) {
    const file = await openInside(place, path);
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
  // Otherwise the exit code looks like more than it is.
  if (keeper.seen() === 0) notes.push(EXIT_CODE_ALONE);

  const { notes: keeping, ...kept } = keeper.kept();
  return { ...kept, notes: [...notes, ...keeping].slice(0, MAX_NOTES).map((note) => mask(note).slice(0, 1000)) };
}

/** A definition that is older than the rules for globs may break them. */
function understood(glob: string): Glob | { refused: string } {
  try {
    return parseGlob(glob);
  } catch (error) {
    if (!(error instanceof GlobError)) throw error;
    return {
      refused: `The results were not read: the glob ${glob} ${error.message}. Correct results.junit of the test. ${EXIT_CODE_ALONE}`,
    };
  }
}

function keptText(cases: number): string {
  if (cases === 0) return '';
  return cases === 1 ? '; the case before it was kept' : `; the ${cases} cases before it were kept`;
}

function listOf(paths: readonly string[]): string {
  const more = paths.length - NAMED;
  const names = `${paths.slice(0, NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return `${names} ${paths.length === 1 ? 'was' : 'were'}`;
}
