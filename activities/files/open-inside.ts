import { constants } from 'node:fs';
import { open, readlink, realpath, type FileHandle } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { isClosed, isInside } from './closed-folders.js';

/** Links are not followed, and opening a pipe without a writer does not block. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const READ_BYTES = 256 * 1024;
const OUTSIDE = 'it is outside the working folder';

/** The folder that contains a test's files. */
export interface FileRoot {
  /** Absolute. */
  folder: string;
  /** Real paths of folders whose files are never opened (see closed-folders). */
  closedFolders?: readonly string[];
}

export interface OpenedFile {
  /** Size when the file was opened; later additions are not read. */
  size: number;
  /** The ctime in ms since 1970: unlike the mtime, a test cannot set it back. */
  changedAt: number;
  /** Must be read to the end or destroyed, because it holds the file open. */
  content: Readable | Buffer;
}

/** Why a file is not opened, with the system's error code if there is one. */
export interface Refusal {
  refused: string;
  code?: string;
}

/**
 * Opens a regular file below a folder. Checks use the open file, because its path can be replaced meanwhile.
 * @param path relative to the folder
 * @returns the file, or why not, to complete "<file> was not saved: …"; never rejects
 */
export async function openInside(root: FileRoot, path: string): Promise<OpenedFile | Refusal> {
  let file: FileHandle | undefined;
  try {
    const opened = await openHandle(root, path);
    if ('refused' in opened) return opened;
    file = opened;
    const { size, ctimeMs: changedAt } = await file.stat();
    if (size === 0) return { size, changedAt, content: Buffer.alloc(0) };
    const content = file.createReadStream({ start: 0, end: size - 1, highWaterMark: READ_BYTES });
    file = undefined;
    return { size, changedAt, content };
  } catch (error) {
    return unreadable(error);
  } finally {
    await file?.close();
  }
}

/**
 * Reads a whole regular file below a folder. The limit applies to the bytes read: the reported size can be outdated, or
 * 0 for virtual files.
 * @param path relative to the folder
 * @param maxBytes limit
 * @param signal ends reading between two chunks
 * @returns the content, or why not, to complete "<file> cannot be sent: …"
 * @throws the signal's reason
 */
export async function readInside(
  root: FileRoot,
  path: string,
  maxBytes: number,
  signal?: AbortSignal,
): Promise<Buffer | (Refusal & { isTooLarge?: true })> {
  let file: FileHandle | undefined;
  try {
    const opened = await openHandle(root, path);
    if ('refused' in opened) return opened;
    file = opened;
    const chunks: Buffer[] = [];
    for (let length = 0; ;) {
      signal?.throwIfAborted();
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(Math.min(READ_BYTES, maxBytes + 1 - length)));
      if (bytesRead === 0) return Buffer.concat(chunks);
      chunks.push(buffer.subarray(0, bytesRead));
      if ((length += bytesRead) > maxBytes) return { refused: 'it is too large', isTooLarge: true };
    }
  } catch (error) {
    signal?.throwIfAborted();
    return unreadable(error);
  } finally {
    await file?.close();
  }
}

/** @returns a regular file, open for reading, or why not. @throws the system's error */
async function openHandle({ folder, closedFolders = [] }: FileRoot, path: string) {
  const root = await realpath(folder);
  const real = await realpath(resolve(folder, path));
  const problem = (at: string) => {
    if (at === root || !isInside(at, root)) return { refused: OUTSIDE };
    return isClosed(at, root, closedFolders) ? { refused: 'it belongs to the system or to the worker' } : undefined;
  };
  const before = problem(real);
  if (before) return before;
  const file = await open(real, FLAGS);
  try {
    const refused =
      (process.platform === 'linux' ? problem(await readlink(`/proc/self/fd/${file.fd}`)) : undefined) ??
      ((await file.stat()).isFile() ? undefined : { refused: 'it is not a regular file' });
    if (!refused) return file;
    await file.close();
    return refused;
  } catch (error) {
    await file.close();
    throw error;
  }
}

function unreadable(error: unknown): Refusal {
  const { code } = error as NodeJS.ErrnoException;
  return { refused: `it cannot be read (${code ?? String(error)})`, code };
}
