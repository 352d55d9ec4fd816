import { realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { glob as findPaths } from 'tinyglobby';

const MAX_FILES = 1000;
/** The kernel's clock for files is behind by up to 10 ms. */
const SLACK_MS = 20;
/** Named in a note. */
const NAMED = 3;

export interface FoundFiles {
  /** Below the folder, in order. */
  paths: string[];
  notes: string[];
}

/**
 * The files that an attempt has left. Links are not followed, and nothing outside the folder is taken. Nor is a file
 * that nobody has written since the attempt began: in a folder that stays, it is an earlier run's. Its time is that of the
 * last change of its status, which a tool that copies files with their times cannot set back.
 * @param since in ms since 1970
 * @throws AbortError
 */
export async function findFiles(
  glob: string,
  { folder, since, signal }: { folder: string; since: number; signal: AbortSignal },
): Promise<FoundFiles> {
  const options = { cwd: folder, followSymbolicLinks: false, expandDirectories: false, signal };
  const found = await findPaths(glob, { ...options, ignore: ['**/node_modules/**', '**/.git/**'] });
  signal.throwIfAborted();
  const root = await realpath(folder);
  const [paths, old, outside]: string[][] = [[], [], []];
  for (const path of found.sort().slice(0, MAX_FILES)) {
    signal.throwIfAborted();
    if (!(await isBelow(root, path, folder))) outside!.push(path);
    else if (await isOlder(join(folder, path), since - SLACK_MS)) old!.push(path);
    else paths!.push(path);
  }
  return { paths: paths!, notes: notesOn(glob, { found, paths: paths!, old: old!, outside: outside! }) };
}

async function isBelow(root: string, path: string, folder: string): Promise<boolean> {
  const real = await realpath(join(folder, path)).catch(() => undefined);
  if (real === undefined) return false;
  const way = relative(root, real);
  return way !== '..' && !way.startsWith(`..${sep}`) && !way.startsWith(sep);
}

async function isOlder(path: string, than: number): Promise<boolean> {
  const { ctimeMs } = await stat(path);
  return ctimeMs < than;
}

function notesOn(
  glob: string,
  { found, paths, old, outside }: Record<'found' | 'paths' | 'old' | 'outside', string[]>,
): string[] {
  const notes: string[] = [];
  if (found.length === 0)
    notes.push(
      `No results: nothing matches ${glob} below the working folder. The verdict is that of the exit code. Check where the command writes its JUnit file; links are not followed.`,
    );
  if (old.length > 0)
    notes.push(
      `${filesOf(old)} left out: written before this attempt began, so not by it.${paths.length === 0 ? ' The verdict is that of the exit code.' : ''}`,
    );
  if (outside.length > 0) notes.push(`${filesOf(outside)} left out: not in the working folder.`);
  if (found.length > MAX_FILES)
    notes.push(
      `${found.length} files match ${glob}: the first ${MAX_FILES} were read. Write fewer, or narrow the glob.`,
    );
  return notes;
}

function filesOf(paths: readonly string[]): string {
  const more = paths.length - NAMED;
  return `${paths.slice(0, NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''} ${paths.length === 1 ? 'is' : 'are'}`;
}
