import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, realpath, rename, rm } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { artifactName } from '#src/domain/runs/artifact.js';
import type { ArtifactView } from '#src/cli/api/answers.js';
import { CliError } from '#src/cli/cli-error.js';
import { EXIT } from '#src/cli/exit-codes.js';

/** Fetches a content, and hands it over as it comes; perhaps again from its beginning. */
export type Fetch = (keep: (content: AsyncIterable<Uint8Array>) => Promise<void>) => Promise<void>;

/**
 * Saves a file below a folder, whatever its name: a test has given it that. It is there when all of it is, with the SHA-256
 * that the server says. @returns its name there. @throws CliError
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
    // Where it could not be made, there is nothing to remove.
    await rm(partial, { force: true }).catch(() => {});
    throw onDisk(error) ? new CliError(`Cannot save ${path}: ${error.message}`, EXIT.error, { cause: error }) : error;
  }
}

/** @throws CliError when the disk does not take it; what the content throws; Error when it is not what it should be */
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
    throw onDisk(error) ? new CliError(`Cannot write ${path}: ${error.message}`, EXIT.error) : error;
  }
  if (sha256 !== null && hash.digest('hex') !== sha256) throw new Error('its SHA-256 does not match');
}

/** Of the file system, not of the network. */
function onDisk(error: unknown): error is Error {
  return (
    (error instanceof Error && 'path' in error && 'syscall' in error) ||
    (error as NodeJS.ErrnoException).code === 'ENOSPC'
  );
}
