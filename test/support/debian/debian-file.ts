import { copyFile, readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { findEntry, createEntry } from '#tools/stack/cache.js';
import { cacheFolder } from '#tools/stack/paths.js';
import type { Log } from '#tools/stack/log.js';
import { debianMirror } from '#tools/stack/servers/debian-mirror.js';
import { unpackPackages, usableMirror } from '#tools/stack/servers/debian-packages.js';
import { NotPossibleError } from '#tools/stack/servers/not-possible.js';

/**
 * The path of one file of a Debian package, which is downloaded once into the cache folder. Nothing is installed.
 * @param file the end of its path in the package
 * @throws NotPossibleError where it is missing and cannot be downloaded
 */
export async function debianFile(name: string, file: string, log: Log): Promise<string> {
  // Programs and libraries are built for the libc of a release.
  const release = debianMirror()?.codename ?? 'none';
  const entry = join(cacheFolder(), `${name}-${release}-${process.platform}-${process.arch}`);
  const found = (await findEntry(entry, log)) ?? (await createEntry(entry, log, downloadInto));
  return join(found, basename(file));

  async function downloadInto(folder: string): Promise<void> {
    const work = join(folder, 'work');
    const unpacked = await unpackPackages(usableMirror(name), { names: [name] }, work);
    const path = (await readdir(unpacked, { recursive: true })).find((one) => `/${one}`.endsWith(`/${file}`));
    if (!path) throw new NotPossibleError(`the package ${name} has no ${file}`);
    await copyFile(join(unpacked, path), join(folder, basename(file)));
    await rm(work, { recursive: true });
  }
}
