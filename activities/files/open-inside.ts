import { constants } from 'node:fs';
import { open, readlink, realpath, type FileHandle } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { isClosed, isInside } from './closed-folders.js';

/** A link is not followed, and a pipe without a writer does not keep us waiting. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const READ_BYTES = 256 * 1024;
const OUTSIDE = 'it is outside the working folder';

/** Where a test's files are. */
export interface FilesOf {
  /** Absolute. */
  folder: string;
  /** Real paths of folders whose files are never opened (see closed-folders). */
  closedFolders?: readonly string[];
}

export interface OpenedFile {
  /** As it was when it was opened; no more is read, whatever is written meanwhile. */
  size: number;
  /** When anything of it was changed last, in ms since 1970; nobody can set it back. */
  changedAt: number;
  /** Must be read to its end or destroyed: it holds the file open. */
  content: Readable | Buffer;
}

/** Why a file is not opened, and the system's code for it where it has one. */
export interface Refusal {
  refused: string;
  code?: string;
}

/**
 * Opens a regular file below a folder. What it is, is asked of the open file: a path may become another one meanwhile.
 * @param path relative to the folder
 * @returns why not, to complete "<file> is not kept: …"; never rejects
 */
export async function openInside(of: FilesOf, path: string): Promise<OpenedFile | Refusal> {
  let file: FileHandle | undefined;
  try {
    const opened = await openHandle(of, path);
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
 * Reads a whole regular file below a folder. The limit counts bytes that were read: what a file says of its size may be
 * out of date, or 0 for one that the system makes up.
 * @param path relative to the folder
 * @param most in bytes
 * @param signal ends the reading between two pieces
 * @returns why not, to complete "<file> cannot be sent: …". @throws the signal's reason
 */
export async function readInside(
  of: FilesOf,
  path: string,
  most: number,
  signal?: AbortSignal,
): Promise<Buffer | (Refusal & { isTooLarge?: true })> {
  let file: FileHandle | undefined;
  try {
    const opened = await openHandle(of, path);
    if ('refused' in opened) return opened;
    file = opened;
    const pieces: Buffer[] = [];
    for (let length = 0; ;) {
      signal?.throwIfAborted();
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(Math.min(READ_BYTES, most + 1 - length)));
      if (bytesRead === 0) return Buffer.concat(pieces);
      pieces.push(buffer.subarray(0, bytesRead));
      if ((length += bytesRead) > most) return { refused: 'it is too large', isTooLarge: true };
    }
  } catch (error) {
    signal?.throwIfAborted();
    return unreadable(error);
  } finally {
    await file?.close();
  }
}

/** @returns a regular file, open for reading, or why not. @throws the system's error */
async function openHandle({ folder, closedFolders = [] }: FilesOf, path: string) {
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
  return { refused: `it cannot be read (${code ?? String(error)})`, ...(code === undefined ? {} : { code }) };
}
