import { copyFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { withProgress } from '#scripts/lib/progress.mjs';
import { findEntry, createEntry } from '#tools/stack/cache.js';
import type { Log } from '#tools/stack/log.js';
import { debianMirror } from '#tools/stack/servers/debian-mirror.js';
import { unpackPackages, usableMirror } from '#tools/stack/servers/debian-packages.js';
import { NotPossibleError } from '#tools/stack/servers/not-possible.js';
import type { FoundChromium } from './find-chromium.js';

const BINARY = 'chromium-headless-shell';
const PACKAGES = [BINARY, 'fonts-liberation'];
/** Not loaded twice into one process: the machine's libc; not needed: graphics drivers. */
const LEFT_OUT = /^(lib(c|m|dl|rt|pthread|resolv|util|anl|mvec|nss_.*|LLVM.*)[-.]|ld-linux)/;
/** Relative to itself, because the entry is created in another folder. */
const FONTS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`;

/** One entry per Debian release, because libraries depend on it. */
const entryOf = (cache: string) =>
  join(cache, `chromium-${debianMirror()?.codename ?? 'none'}-${process.platform}-${process.arch}`);

/** Debian's Chromium, if it is cached. */
export async function findDebianChromium(cache: string, log: Log): Promise<FoundChromium | undefined> {
  const entry = await findEntry(entryOf(cache), log);
  return entry ? foundIn(entry) : undefined;
}

/**
 * Downloads Debian's Chromium with its libraries and a font (160 MB) into the cache, without installing it.
 * @throws NotPossibleError
 */
export async function downloadDebianChromium(cache: string, log: Log): Promise<FoundChromium> {
  const mirror = usableMirror('Chromium');
  const entry = await createEntry(entryOf(cache), log, (folder) =>
    withProgress('Fetching Chromium from Debian', async () => {
      const work = join(folder, 'work');
      const unpacked = await unpackPackages(mirror, { names: PACKAGES, withDependencies: true }, work);
      await copyFiles(join(unpacked, 'usr/lib/chromium'), folder);
      await copyLibraries(unpacked, folder);
      await copyFiles(join(unpacked, 'usr/share/fonts/truetype/liberation'), join(folder, 'fonts'));
      await writeFile(join(folder, 'fonts.conf'), FONTS);
      await rm(work, { recursive: true });
    }),
  );
  return foundIn(entry);
}

function foundIn(entry: string): FoundChromium {
  const env = { LD_LIBRARY_PATH: entry, FONTCONFIG_FILE: join(entry, 'fonts.conf') };
  return { path: join(entry, BINARY), origin: 'Debian’s package', env };
}

async function copyLibraries(unpacked: string, to: string): Promise<void> {
  const before = (await readdir(to)).length;
  for (const root of ['lib', 'usr/lib']) {
    const names = await readdir(join(unpacked, root)).catch(() => []);
    const triplet = names.find((name) => name.endsWith('-linux-gnu'));
    if (!triplet) continue;
    const isIncluded = (name: string) => /\.so(\.|$)/.test(name) && !LEFT_OUT.test(name);
    for (const folder of ['', 'nss', 'pulseaudio'])
      await copyFiles(join(unpacked, root, triplet, folder), to, isIncluded);
  }
  if ((await readdir(to)).length === before) throw new NotPossibleError('the packages contain no libraries');
}

/** The files of a folder, without subfolders; links become files. */
async function copyFiles(from: string, to: string, isIncluded: (name: string) => boolean = () => true): Promise<void> {
  if (!existsSync(from)) return;
  await mkdir(to, { recursive: true });
  for (const entry of await readdir(from, { withFileTypes: true }))
    if (!entry.isDirectory() && isIncluded(entry.name) && existsSync(join(from, entry.name)))
      await copyFile(join(from, entry.name), join(to, entry.name));
}
