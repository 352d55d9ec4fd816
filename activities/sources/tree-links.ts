import { readdir, readlink, realpath, stat } from 'node:fs/promises';
import { join, posix, relative } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { SourceError } from './source-error.js';

const MAX_HOPS = 40;

/** The check yields to other work after this time, in ms: a hostile link takes more than 100 ms to follow. */
const TURN_MS = 10;

/**
 * Checks all symbolic links of a tree that was just written, before anything runs in it.
 * @param tree absolute, real
 * @throws SourceError if one points outside the tree; the signal's reason
 */
export async function refuseLinksOutside(tree: string, signal: AbortSignal): Promise<void> {
  const entries = await readdir(tree, { recursive: true, withFileTypes: true });
  const links = new Map<string, string>();
  for (const entry of entries) {
    if (!entry.isSymbolicLink()) continue;
    const path = join(entry.parentPath, entry.name);
    signal.throwIfAborted();
    links.set(relative(tree, path), await readlink(path));
  }
  let turnAt = performance.now() + TURN_MS;
  for (const [link, target] of links) {
    if (performance.now() > turnAt) {
      await turn();
      signal.throwIfAborted();
      turnAt = performance.now() + TURN_MS;
    }
    if (pointsOutside(link, links))
      throw new SourceError(
        `The link "${link}" in the repository points outside the repository, to ${target.slice(0, 200)}. Replace it with a link within the repository or with a file.`,
      );
  }
}

/** Follows a link as the system would, but works for targets that do not exist yet. */
function pointsOutside(link: string, links: ReadonlyMap<string, string>): boolean {
  let at: string[] = [];
  const remaining = link.split('/');
  for (let hops = 0; remaining.length > 0;) {
    const part = remaining.shift()!;
    if (part === '' || part === '.') continue;
    if (part === '..') {
      if (at.length === 0) return true;
      at = at.slice(0, -1);
      continue;
    }
    const path = [...at, part].join('/');
    const target = links.get(path);
    if (target === undefined) at.push(part);
    else if (posix.isAbsolute(target)) return true;
    else if (++hops > MAX_HOPS)
      return false; // A cycle cannot be followed.
    else remaining.unshift(...target.split('/'));
  }
  return false;
}

/**
 * @param tree absolute, real; none of its links points outside
 * @returns the absolute path of a folder in it. @throws SourceError if it does not exist
 */
export async function folderIn(tree: string, path: string | undefined): Promise<string> {
  if (!path) return tree;
  const folder = await realpath(join(tree, path)).catch(() => undefined);
  const isInside = folder === tree || folder?.startsWith(`${tree}/`);
  if (!folder || !isInside || !(await stat(folder)).isDirectory())
    throw new SourceError(`The repository has no folder "${path}" in this commit. Correct git.path or git.ref.`);
  return folder;
}
