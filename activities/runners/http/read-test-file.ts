import { readInside, type FileRoot } from '#activities/files/open-inside.js';
import { BadRequestError } from './bad-request-error.js';

/** Maximum size of a request body or schema, in bytes. */
const MAX_BYTES = 5 * 1024 * 1024;

/**
 * Reads a file below a test's working folder. Links that leave it are refused, because the content is sent to a server.
 * @throws BadRequestError if it is missing, outside the folder, not a file, or larger than 5 MiB; the signal's reason
 */
export async function readTestFile(root: FileRoot, path: string, signal: AbortSignal): Promise<Buffer> {
  const content = await readInside(root, path, MAX_BYTES, signal);
  if (Buffer.isBuffer(content)) return content;
  const { refused, isTooLarge, code } = content;
  if (isTooLarge) throw new BadRequestError(`the file ${path} is larger than 5 MiB`);
  if (code === 'ENOENT' || code === 'ENOTDIR')
    throw new BadRequestError(
      `the file ${path} is not in the test’s working folder: set cwd or git in the test, and use a path relative to that folder`,
    );
  throw new BadRequestError(`the file ${path} cannot be read: ${refused}`);
}
