import { copyFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { findEntry, makeEntry } from '#tools/stack/cache.js';
import { cacheFolder } from '#tools/stack/paths.js';
import type { Say } from '#tools/stack/say.js';
import { debianMirror } from '#tools/stack/servers/debian-mirror.js';
import { unpackPackages, usableMirror } from '#tools/stack/servers/debian-packages.js';
import { NotPossibleError } from '#tools/stack/servers/not-possible.js';

const LIBRARY = 'libfaketime.so.1';

/**
 * The path of libfaketime: Debian's package, unpacked into our cache folder, where it is fetched once (80 KB).
 * @throws NotPossibleError where it is not there and cannot be fetched
 */
export async function findFaketime(say: Say): Promise<string> {
  // A library is built for the libc of a release.
  const release = debianMirror()?.codename ?? 'none';
  const entry = join(cacheFolder(), `faketime-${release}-${process.platform}-${process.arch}`);
  const found = (await findEntry(entry, say)) ?? (await makeEntry(entry, say, fetchInto));
  return join(found, LIBRARY);
}

async function fetchInto(folder: string): Promise<void> {
  const work = join(folder, 'work');
  const unpacked = await unpackPackages(usableMirror('libfaketime'), { names: ['libfaketime'] }, work);
  const files = await readdir(unpacked, { recursive: true });
  const library = files.find((file) => file.endsWith(`/${LIBRARY}`));
  if (!library) throw new NotPossibleError(`the package libfaketime has no ${LIBRARY}`);
  await copyFile(join(unpacked, library), join(folder, LIBRARY));
  await rm(work, { recursive: true });
}

/** Variables with which a process's wall clock shows so many minutes more than the machine's; its monotonic clock is true. */
export function clockAhead(library: string, minutes: number): Record<string, string> {
  return {
    LD_PRELOAD: library,
    FAKETIME: `${minutes < 0 ? '' : '+'}${minutes}m`,
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    DONT_FAKE_MONOTONIC: '1',
    // Times of files stay true.
    NO_FAKE_STAT: '1',
  };
}
