import { createHash } from 'node:crypto';
import { GlobError, parseGlobs } from '#src/domain/targets/glob.js';
import type { SetupCommand } from '#src/domain/targets/test-source.js';
import { findFiles } from '#activities/files/find-files.js';
import { openInside, type FileRoot } from '#activities/files/open-inside.js';

/** Limits of the files of a key; more are probably a mistake. */
const MAX_FILES = 10_000;
const MAX_BYTES = 256 * 1024 * 1024;

/**
 * Hashes what determines a setup's result: its project, its command, the files it names and the kind of machine.
 * @returns the key, or why the setup cannot be cached and runs every time
 * @throws the signal's reason
 */
export async function setupKey(
  { command, key, keep }: SetupCommand,
  { projectId, signal, ...root }: FileRoot & { projectId: string; signal: AbortSignal },
): Promise<{ key: string } | { because: string }> {
  if (key.length === 0 || keep.length === 0) return { because: '' };
  const globs = globsOf(key);
  if ('because' in globs) return globs;
  const files = await findFiles(root, globs, { hidden: true, signal });
  if (files.length === 0) return { because: `no file matches its key (${key.join(', ')})` };
  if (files.length > MAX_FILES) return { because: `its key matches more than ${MAX_FILES} files` };
  const hash = createHash('sha256');
  const machine = [process.platform, process.arch, process.versions.node.split('.')[0]];
  hash.update(JSON.stringify([1, projectId, command, keep, machine]));
  let bytes = 0;
  for (const file of files) {
    const opened = await openInside(root, file);
    if ('refused' in opened) return { because: `the file ${file} in its key was not read: ${opened.refused}` };
    const { size, content } = opened;
    hash.update(`\n${JSON.stringify([file, size])}\n`);
    try {
      for await (const chunk of Buffer.isBuffer(content) ? [content] : (content as AsyncIterable<Buffer>)) {
        signal.throwIfAborted();
        if ((bytes += chunk.length) > MAX_BYTES) return { because: 'the files in its key are larger than 256 MiB' };
        hash.update(chunk);
      }
    } finally {
      if (!Buffer.isBuffer(content)) content.destroy();
    }
  }
  return { key: hash.digest('hex').slice(0, 40) };
}

/** Definitions saved before these rules existed may break them. */
function globsOf(key: readonly string[]) {
  try {
    return parseGlobs(key);
  } catch (error) {
    if (error instanceof GlobError) return { because: `a glob in its key (${key.join(', ')}) ${error.message}` };
    throw error;
  }
}
