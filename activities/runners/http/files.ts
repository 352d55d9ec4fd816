import { readInside, type FileRoot } from '#activities/files/open-inside.js';
import { BadRequestError } from './bad-request.js';

/** A file that is sent, or a schema, in bytes. */
const LARGEST = 5 * 1024 * 1024;

/**
 * Reads a file below a test's working folder. Links out of it are refused: what is read goes to some server.
 * @throws BadRequestError when it is not there, not below the folder, no file, or larger than 5 MiB; the signal's
 *   reason
 */
export async function readBelow(of: FileRoot, path: string, signal: AbortSignal): Promise<Buffer> {
  const content = await readInside(of, path, LARGEST, signal);
  if (Buffer.isBuffer(content)) return content;
  const { refused, isTooLarge, code } = content;
  if (isTooLarge) throw new BadRequestError(`the file ${path} is larger than 5 MiB`);
  if (code === 'ENOENT' || code === 'ENOTDIR')
    throw new BadRequestError(
      `the file ${path} is not in the test’s working folder: set cwd or git in the test, and use a path relative to that folder`,
    );
  throw new BadRequestError(`the file ${path} cannot be read: ${refused}`);
}
