import { sep } from 'node:path';

/** System files expose processes and devices, including the worker's environment, which holds its keys. */
const SYSTEM_FOLDERS = ['/proc', '/sys', '/dev'];

/** Whether a path is the folder itself or below it. Both must be absolute, and real where links matter. */
export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/**
 * Whether a test with files below `root` must not read `path`, because it is in a folder of the system or of the
 * worker. A folder that the worker created for the test is open to that test.
 * @param path absolute, real
 * @param root absolute, real
 * @param closedFolders absolute, real: the worker's own
 */
export function isClosed(path: string, root: string, closedFolders: readonly string[]): boolean {
  return [...SYSTEM_FOLDERS, ...closedFolders].some((closed) => isInside(path, closed) && !isInside(root, closed));
}
