import { sep } from 'node:path';

/** What the kernel shows of processes and devices, among it the environment of the worker, which holds its keys. */
const OF_THE_SYSTEM = ['/proc', '/sys', '/dev'];

/** Whether a path is a folder or below it; both absolute, and real where links matter. */
export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/**
 * Whether a test whose files are below `root` may not read `path`, whatever is allowed: it is in a folder of the system or
 * of the worker. The folder that the worker itself has made for the test is open to that test.
 * @param path absolute, real
 * @param root absolute, real
 * @param closedFolders absolute, real: the worker's own
 */
export function isClosed(path: string, root: string, closedFolders: readonly string[]): boolean {
  return [...OF_THE_SYSTEM, ...closedFolders].some((closed) => isInside(path, closed) && !isInside(root, closed));
}
