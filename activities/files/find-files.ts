import { opendir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type { Glob } from '#src/domain/targets/glob.js';
import { isClosed, isInside } from './closed-folders.js';
import type { FilesOf } from './open-inside.js';
import { createPathMatcher, type MatcherOptions, type Places } from './path-matcher.js';

/** More paths are not kept in memory; nobody means so many. */
const MOST_FOUND = 100_000;
/** Others come to their turns after so long, in ms. */
const TURN_MS = 10;

export interface FindOptions extends MatcherOptions {
  /** Names of folders that are not entered. */
  notIn?: readonly string[];
  /** Ends the search. */
  signal: AbortSignal;
}

interface FolderToLookIn {
  /** Relative, as it is found. */
  path: string;
  /** Absolute, without links. */
  real: string;
  places: Places;
  leftOut: Places;
}

/**
 * Finds regular files below a folder by globs. Links are not followed, but those to folders below it that a glob names
 * without a wildcard. What cannot be read is left out.
 * @returns relative paths in the order of their names, the first 100,000 that were found
 * @throws the signal's reason
 */
export async function findFiles(
  of: FilesOf,
  globs: readonly Glob[],
  { notIn = [], signal, ...options }: FindOptions,
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
  const waiting: FolderToLookIn[] = [{ path: '', real: root, places: matcher.start, leftOut: excluder.start }];
  let turnAt = performance.now() + TURN_MS;

  /** @returns a folder's path without links; undefined when it may not be looked in */
  async function realOf(at: string, isLink: boolean): Promise<string | undefined> {
    const real = isLink ? await realpath(at).catch(() => undefined) : at;
    const isOpen = real !== undefined && isInside(real, root!) && !isClosed(real, root!, of.closedFolders ?? []);
    return isOpen ? real : undefined;
  }

  async function lookIn({ path, real: at, places, leftOut }: FolderToLookIn): Promise<void> {
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
      if (isFolder && notIn.includes(name)) continue;
      const next = isLink ? matcher.afterPlain(places, name) : matcher.after(places, name);
      if (next.length === 0) continue;
      const inPath = path === '' ? name : `${path}/${name}`;
      const out = excluder.after(leftOut, name);
      if (isFolder) {
        const real = excluder.matchesAllBelow(out) ? undefined : await realOf(join(at, name), isLink);
        if (real !== undefined) waiting.push({ path: inPath, real, places: next, leftOut: out });
      } else if (matcher.isMatch(next) && !excluder.isMatch(out)) {
        found.push(inPath);
        if (found.length === MOST_FOUND) return;
      }
    }
  }

  for (let folder = waiting.pop(); folder && found.length < MOST_FOUND; folder = waiting.pop()) {
    signal.throwIfAborted();
    await lookIn(folder).catch((error: NodeJS.ErrnoException) => {
      signal.throwIfAborted();
      if (error.code === undefined) throw error;
    });
  }
  return found.sort();
}
