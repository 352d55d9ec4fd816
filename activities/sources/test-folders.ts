import { realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { isClosed, isInside } from '#activities/files/closed-folders.js';

/** Looks a test's `cwd` up. @returns the folder without links, or a sentence on why the worker does not allow it */
export type FindTestFolder = (cwd: string) => Promise<{ folder: string } | { refused: string }>;

const INSTEAD = 'Use files from a Git repository (git)';
/** No folder is there: nothing is in it, so a folder is closed for itself. */
const NOWHERE = '';

/**
 * @param allowed absolute; `cwd` may be one of them or below one, with the links of both followed
 * @param closed absolute, real: the worker's own, which no `cwd` may be in
 */
export function createTestFolders(allowed: readonly string[], closed: readonly string[]): FindTestFolder {
  return async (cwd) => {
    const [folder, ...roots] = await Promise.all([cwd, ...allowed].map(realOf));
    if (isClosed(folder!, NOWHERE, closed))
      return {
        refused: `The working folder ${cwd} belongs to the system or to the worker and cannot be used by tests. ${INSTEAD}, or correct its cwd.`,
      };
    // The same words whether it exists or not: a definition must not explore the machine.
    if (!roots.some((root) => isInside(folder!, root))) return { refused: notAllowed(cwd, allowed.length > 0) };
    return { folder: folder! };
  };
}

function notAllowed(cwd: string, isSome: boolean): string {
  const why = isSome
    ? 'is not in a folder that this worker allows (RUNHOOK_TEST_FOLDERS)'
    : 'is not allowed: this worker allows no folders of its machine (RUNHOOK_TEST_FOLDERS is not set)';
  return `The working folder ${cwd} ${why}. ${INSTEAD}, or ask the operator of the worker to add the folder to RUNHOOK_TEST_FOLDERS.`;
}

/** The path without links; what does not exist yet is where it would be. */
async function realOf(path: string): Promise<string> {
  const absolute = resolve(path);
  const real = await realpath(absolute).catch(() => undefined);
  if (real !== undefined || absolute === dirname(absolute)) return real ?? absolute;
  return join(await realOf(dirname(absolute)), basename(absolute));
}
