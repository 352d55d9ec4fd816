import { copyFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { withProgress } from '#scripts/lib/progress.mjs';
import { findEntry, createEntry } from '#tools/stack/cache.js';
import type { Log } from '#tools/stack/log.js';
import { unpackPackages, usableMirror } from './debian-packages.js';
import { NotPossibleError } from './not-possible.js';

/** The Debian release after 12; its glibc is 2.41. */
const RELEASE = 'trixie';
const PACKAGES = ['libc6', 'libstdc++6', 'libgcc-s1'];

const entryOf = (cache: string) => join(cache, `glibc-${RELEASE}-${process.platform}-${process.arch}`);

/** The folder of the newer libc's libraries, if they are cached. */
export async function findNewerLibc(cache: string, log: Log): Promise<string | undefined> {
  return await findEntry(entryOf(cache), log);
}

/**
 * Downloads a newer libc from Debian into the cache, without installing it (see debian-packages.ts).
 * @returns the folder of its libraries
 * @throws NotPossibleError
 */
export async function downloadNewerLibc(cache: string, log: Log): Promise<string> {
  const mirror = usableMirror('a newer glibc');
  return await createEntry(entryOf(cache), log, (folder) =>
    withProgress('Downloading a newer glibc from Debian', async () => {
      const work = join(folder, 'work');
      const unpacked = await unpackPackages(mirror, { names: PACKAGES, release: RELEASE }, work);
      await copyLibraries(join(unpacked, 'usr/lib'), folder);
      await rm(work, { recursive: true });
    }),
  );
}

/** Copies all `.so` files into one flat folder; links become files. */
async function copyLibraries(from: string, to: string): Promise<void> {
  const triplet = (await readdir(from)).find((name) => name.endsWith('-linux-gnu'));
  if (!triplet) throw new NotPossibleError(`the packages contain no libraries (${from})`);
  for (const name of await readdir(join(from, triplet))) {
    if (/\.so(\.|$)/.test(name)) await copyFile(join(from, triplet, name), join(to, name));
  }
}
