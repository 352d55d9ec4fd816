import { constants } from 'node:fs';
import { open, readlink, realpath, type FileHandle } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { Readable } from 'node:stream';

/** A link is not followed, and a pipe without a writer does not keep us waiting. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const READ_BYTES = 256 * 1024;

export interface OpenedFile {
  /** As it was when it was opened; no more is read, whatever is written meanwhile. */
  size: number;
  /** When anything of it was changed last, in ms since 1970; nobody can set it back. */
  changedAt: number;
  /** Must be read to its end or destroyed: it holds the file open. */
  content: Readable | Buffer;
}

/**
 * Opens a regular file below a folder. What it is, is asked of the open file: a path may become another one meanwhile.
 * @param folder absolute
 * @param path relative
 * @returns why not, to complete "<file> is not kept: …"; never rejects
 */
export async function openInside(folder: string, path: string): Promise<OpenedFile | { refused: string }> {
  let file: FileHandle | undefined;
  try {
    const inside = (await realpath(folder)) + sep;
    const real = await realpath(join(folder, path));
    if (!real.startsWith(inside)) return { refused: 'it is outside of the working folder' };
    file = await open(real, FLAGS);
    if (process.platform === 'linux' && !(await readlink(`/proc/self/fd/${file.fd}`)).startsWith(inside))
      return { refused: 'it is outside of the working folder' };
    const found = await file.stat();
    if (!found.isFile()) return { refused: 'it is no regular file' };
    const { size, ctimeMs: changedAt } = found;
    if (size === 0) return { size, changedAt, content: Buffer.alloc(0) };
    const content = file.createReadStream({ start: 0, end: size - 1, highWaterMark: READ_BYTES });
    file = undefined;
    return { size, changedAt, content };
  } catch (error) {
    return { refused: `it cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)})` };
  } finally {
    await file?.close();
  }
}
