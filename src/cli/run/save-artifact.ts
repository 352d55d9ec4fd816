import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, realpath, rename, rm } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { artifactName } from '#src/domain/runs/artifact.js';
import type { ArtifactView } from '#src/cli/api/responses.js';
import { CliError } from '#src/cli/cli-error.js';
import { EXIT } from '#src/cli/exit-codes.js';

/** Streams a content to `keep`, and after an interruption again from its beginning. */
export type Fetch = (keep: (content: AsyncIterable<Uint8Array>) => Promise<void>) => Promise<void>;

/**
 * Saves a file below a folder. Its name comes from a test and is not trusted. The file appears only when it is complete
 * and its SHA-256 matches.
 * @returns its name in the folder
 * @throws CliError
 */
export async function saveArtifact(folder: string, { name, sha256 }: ArtifactView, fetch: Fetch): Promise<string> {
  const safe = artifactName(name);
  if (safe === undefined) throw new CliError(`An artifact has an invalid name: ${JSON.stringify(name)}`, EXIT.error);
  const path = join(folder, safe);
  const partial = join(dirname(path), `.${randomUUID()}.part`);
  try {
    await mkdir(dirname(path), { recursive: true });
    if (!`${await realpath(dirname(path))}${sep}`.startsWith(`${await realpath(folder)}${sep}`))
      throw new CliError(`Cannot save ${path}: a symbolic link points outside ${folder}.`, EXIT.error);
    await fetch((content) => write(content, partial, sha256));
    await rename(partial, path);
    return safe;
  } catch (error) {
    // Fails if the folder could not be created.
    await rm(partial, { force: true }).catch(() => {});
    throw isFileError(error)
      ? new CliError(`Cannot save ${path}: ${error.message}`, EXIT.error, { cause: error })
      : error;
  }
}

/** @throws CliError when the file cannot be written; the error of the content; Error when the SHA-256 does not match */
async function write(content: AsyncIterable<Uint8Array>, path: string, sha256: string | null): Promise<void> {
  const hash = createHash('sha256');
  async function* hashed(parts: AsyncIterable<Uint8Array>) {
    for await (const part of parts) {
      hash.update(part);
      yield part;
    }
  }
  try {
    await pipeline(content, hashed, createWriteStream(path));
  } catch (error) {
    throw isFileError(error) ? new CliError(`Cannot write ${path}: ${error.message}`, EXIT.error) : error;
  }
  if (sha256 !== null && hash.digest('hex') !== sha256) throw new Error('its SHA-256 does not match');
}

/** Whether it is an error of the file system, not of the network. */
function isFileError(error: unknown): error is Error {
  return (
    (error instanceof Error && 'path' in error && 'syscall' in error) ||
    (error as NodeJS.ErrnoException).code === 'ENOSPC'
  );
}
