import { realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { isClosed, isInside } from '#activities/files/closed-folders.js';

/**
 * Looks a test's `cwd` up.
 * @returns the folder without links and the innermost allowed folder that contains it, or why it is not allowed
 */
export type FindTestFolder = (cwd: string) => Promise<{ folder: string; root: string } | { refused: string }>;

const INSTEAD = 'Use files from a Git repository (git)';
/** A path that contains no folder, so that no closed folder is exempt for its own tests. */
const NO_ROOT = '';

/**
 * @param allowed absolute; `cwd` must be one of them or below one, with links resolved
 * @param closed absolute, real: the worker's own folders, which `cwd` must not be in
 */
export function createTestFolders(allowed: readonly string[], closed: readonly string[]): FindTestFolder {
  return async (cwd) => {
    const [folder, ...roots] = await Promise.all([cwd, ...allowed].map(realOf));
    if (isClosed(folder!, NO_ROOT, closed))
      return {
        refused: `The working folder ${cwd} belongs to the system or to the worker and cannot be used by tests. ${INSTEAD}, or correct its cwd.`,
      };
    // The same message whether it exists or not, so that definitions cannot explore the machine.
    const [root] = roots.filter((one) => isInside(folder!, one)).sort((one, other) => other.length - one.length);
    if (root === undefined) return { refused: notAllowed(cwd, allowed.length > 0) };
    return { folder: folder!, root };
  };
}

function notAllowed(cwd: string, areSomeAllowed: boolean): string {
  const why = areSomeAllowed
    ? 'is not in a folder that this worker allows (RUNHOOK_TEST_FOLDERS)'
    : 'is not allowed: this worker allows no folders of its machine (RUNHOOK_TEST_FOLDERS is not set)';
  return `The working folder ${cwd} ${why}. ${INSTEAD}, or ask the operator of the worker to add the folder to RUNHOOK_TEST_FOLDERS.`;
}

/** The path with links resolved, as far as it exists. */
async function realOf(path: string): Promise<string> {
  const absolute = resolve(path);
  const real = await realpath(absolute).catch(() => undefined);
  if (real !== undefined || absolute === dirname(absolute)) return real ?? absolute;
  return join(await realOf(dirname(absolute)), basename(absolute));
}
