import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { glob } from 'tinyglobby';
import type { SetupCommand } from '../../src/domain/test-source.js';

/** Files that a key is made of, and their bytes together: more are a mistake. */
const MOST_FILES = 10_000;
const MOST_BYTES = 256 * 1024 * 1024;

/**
 * What a setup's result follows from: its project, its command, the files it names and this kind of machine.
 * @returns the key, or why there is none and the setup runs every time
 */
export async function setupKey(
  { command, key, keep }: SetupCommand,
  { projectId, folder }: { projectId: string; folder: string },
): Promise<{ key: string } | { because: string }> {
  if (key.length === 0 || keep.length === 0) return { because: '' };
  const files = await glob(key, { cwd: folder, dot: true, followSymbolicLinks: false, expandDirectories: false });
  if (files.length === 0) return { because: `no file is there of its key (${key.join(', ')})` };
  if (files.length > MOST_FILES) return { because: `its key has more than ${MOST_FILES} files` };
  const hash = createHash('sha256');
  const machine = [process.platform, process.arch, process.versions.node.split('.')[0]];
  hash.update(JSON.stringify([1, projectId, command, keep, machine]));
  let bytes = 0;
  for (const file of files.sort()) {
    const path = join(folder, file);
    const { size } = await lstat(path);
    if ((bytes += size) > MOST_BYTES) return { because: 'the files of its key are larger than 256 MiB' };
    hash.update(`\n${JSON.stringify([file, size])}\n`);
    for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  }
  return { key: hash.digest('hex').slice(0, 40) };
}
