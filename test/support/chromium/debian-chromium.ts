import { copyFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { withProgress } from '#scripts/lib/progress.mjs';
import { findEntry, makeEntry } from '#tools/stack/cache.js';
import type { Say } from '#tools/stack/say.js';
import { debianMirror } from '#tools/stack/servers/debian-mirror.js';
import { unpackPackages, usableMirror } from '#tools/stack/servers/debian-packages.js';
import { NotPossibleError } from '#tools/stack/servers/not-possible.js';
import type { FoundChromium } from './find-chromium.js';

const BINARY = 'chromium-headless-shell';
const PACKAGES = [BINARY, 'fonts-liberation'];
/** Not the machine's libc twice in one process, and no drivers of graphics cards. */
const LEFT_OUT = /^(lib(c|m|dl|rt|pthread|resolv|util|anl|mvec|nss_.*|LLVM.*)[-.]|ld-linux)/;
/** Relative to itself: the entry is made in another folder. */
const FONTS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`;

/** Libraries are those of a release: another one gets an entry of its own. */
const entryOf = (cache: string) =>
  join(cache, `chromium-${debianMirror()?.codename ?? 'none'}-${process.platform}-${process.arch}`);

/** Debian's Chromium, when an earlier call has fetched it. */
export async function findDebianChromium(cache: string, say: Say): Promise<FoundChromium | undefined> {
  const entry = await findEntry(entryOf(cache), say);
  return entry ? foundIn(entry) : undefined;
}

/**
 * Fetches Debian's Chromium with all its libraries and a font into the cache, without touching the system: 160 MB.
 * @throws NotPossibleError
 */
export async function getDebianChromium(cache: string, say: Say): Promise<FoundChromium> {
  const mirror = usableMirror('Chromium');
  const entry = await makeEntry(entryOf(cache), say, (folder) =>
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
    const isWanted = (name: string) => /\.so(\.|$)/.test(name) && !LEFT_OUT.test(name);
    for (const folder of ['', 'nss', 'pulseaudio'])
      await copyFiles(join(unpacked, root, triplet, folder), to, isWanted);
  }
  if ((await readdir(to)).length === before) throw new NotPossibleError('the packages hold no libraries');
}

/** The files of a folder, not of those in it; links become files. */
async function copyFiles(from: string, to: string, isWanted: (name: string) => boolean = () => true): Promise<void> {
  if (!existsSync(from)) return;
  await mkdir(to, { recursive: true });
  for (const entry of await readdir(from, { withFileTypes: true }))
    if (!entry.isDirectory() && isWanted(entry.name) && existsSync(join(from, entry.name)))
      await copyFile(join(from, entry.name), join(to, entry.name));
}
