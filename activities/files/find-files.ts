import { opendir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type { Glob } from '#src/domain/targets/glob.js';
import { isClosed, isInside } from './closed-folders.js';
import type { FileRoot } from './open-inside.js';
import { createPathMatcher, type MatcherOptions, type Positions } from './path-matcher.js';

/** Bounds memory; no real test has this many matching files. */
const MAX_FILES = 100_000;
/** The search yields to other work after this time, in ms. */
const TURN_MS = 10;

export interface FindOptions extends MatcherOptions {
  /** Names of folders to skip. */
  skipFolders?: readonly string[];
  /** Ends the search. */
  signal: AbortSignal;
}

interface PendingFolder {
  /** Relative to the root. */
  path: string;
  /** Absolute, without links. */
  real: string;
  positions: Positions;
  excluded: Positions;
}

/**
 * Finds regular files below a folder by globs. Symbolic links are followed only to folders below the root that a glob
 * names without a wildcard. Unreadable folders are skipped.
 * @returns relative paths sorted; at most 100,000
 * @throws the signal's reason
 */
export async function findFiles(
  of: FileRoot,
  globs: readonly Glob[],
  { skipFolders = [], signal, ...options }: FindOptions,
): Promise<string[]> {
  signal.throwIfAborted();
  const matcher = createPathMatcher(
    globs.filter(({ leavesOut }) => !leavesOut),
    options,
  );
  const excluder = createPathMatcher(
    globs.filter(({ leavesOut }) => leavesOut),
    { ...options, hidden: true },
  );
  const root = await realpath(of.folder).catch(() => undefined);
  if (root === undefined) return [];
  const found: string[] = [];
  const pending: PendingFolder[] = [{ path: '', real: root, positions: matcher.start, excluded: excluder.start }];
  let turnAt = performance.now() + TURN_MS;

  /** @returns the folder's real path; undefined if the search must not enter it */
  async function realOf(at: string, isLink: boolean): Promise<string | undefined> {
    const real = isLink ? await realpath(at).catch(() => undefined) : at;
    const isOpen = real !== undefined && isInside(real, root!) && !isClosed(real, root!, of.closedFolders ?? []);
    return isOpen ? real : undefined;
  }

  async function search({ path, real: at, positions, excluded }: PendingFolder): Promise<void> {
    for await (const entry of await opendir(at, { bufferSize: 256 })) {
      if (performance.now() > turnAt) {
        await turn();
        signal.throwIfAborted();
        turnAt = performance.now() + TURN_MS;
      }
      const { name } = entry;
      const isLink = entry.isSymbolicLink();
      const isFolder = isLink || entry.isDirectory();
      if (!isFolder && !entry.isFile()) continue;
      if (isFolder && skipFolders.includes(name)) continue;
      const next = isLink ? matcher.afterPlain(positions, name) : matcher.after(positions, name);
      if (next.length === 0) continue;
      const inPath = path === '' ? name : `${path}/${name}`;
      const excludedNext = excluder.after(excluded, name);
      if (isFolder) {
        const real = excluder.matchesAllBelow(excludedNext) ? undefined : await realOf(join(at, name), isLink);
        if (real !== undefined) pending.push({ path: inPath, real, positions: next, excluded: excludedNext });
      } else if (matcher.isMatch(next) && !excluder.isMatch(excludedNext)) {
        found.push(inPath);
        if (found.length === MAX_FILES) return;
      }
    }
  }

  for (let folder = pending.pop(); folder && found.length < MAX_FILES; folder = pending.pop()) {
    signal.throwIfAborted();
    await search(folder).catch((error: NodeJS.ErrnoException) => {
      signal.throwIfAborted();
      if (error.code === undefined) throw error;
    });
  }
  return found.sort();
}
