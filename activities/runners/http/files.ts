import { open, realpath } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import { BadRequestError } from './bad-request.js';

/** A file that is sent, or a schema, in bytes. */
const LARGEST = 5 * 1024 * 1024;

/**
 * Reads a file below a test's working folder. Links out of it are refused: what is read goes to some server.
 * @throws BadRequestError when it is not there, not below the folder, no file, or larger than 5 MiB
 */
export async function readBelow(folder: string, path: string): Promise<Buffer> {
  try {
    const [root, real] = await Promise.all([realpath(folder), realpath(resolve(folder, path))]);
    if (!real.startsWith(root.endsWith(sep) ? root : root + sep))
      throw new BadRequestError(`the file ${path} is not below the test’s working folder`);
    const file = await open(real);
    try {
      const stat = await file.stat();
      if (!stat.isFile()) throw new BadRequestError(`${path} is no file`);
      if (stat.size > LARGEST) throw new BadRequestError(`the file ${path} is larger than 5 MiB`);
      return await file.readFile();
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof BadRequestError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new BadRequestError(
      code === 'ENOENT' || code === 'ENOTDIR'
        ? `the file ${path} is not in the test’s working folder: set cwd or git in the test, and the path relative to it`
        : `the file ${path} cannot be read (${code ?? (error as Error).message})`,
    );
  }
}
