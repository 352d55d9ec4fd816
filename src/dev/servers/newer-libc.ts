import { spawn } from 'node:child_process';
import { copyFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withProgress } from '../../../scripts/lib/progress.mjs';
import { findEntry, makeEntry } from '../cache.js';
import type { Say } from '../say.js';
import { debianMirror, type Mirror } from './debian-mirror.js';
import { NotPossibleError } from './not-possible.js';
import { onPath } from './on-path.js';

/** The Debian release after 12; its glibc is 2.41. */
const RELEASE = 'trixie';
const PACKAGES = ['libc6', 'libstdc++6', 'libgcc-s1'];
const STEP_MS = 120_000;

const entryOf = (cache: string) => join(cache, `glibc-${RELEASE}-${process.platform}-${process.arch}`);

/** The folder of the newer libc's libraries, when an earlier start has fetched them. */
export async function findNewerLibc(cache: string, say: Say): Promise<string | undefined> {
  return await findEntry(entryOf(cache), say);
}

/**
 * Fetches a newer libc from Debian into the cache, with apt's signature checks, without touching the system: apt gets
 * a sources list and state folders of its own, and the packages are only unpacked.
 * @returns the folder of its libraries
 * @throws NotPossibleError
 */
export async function getNewerLibc(cache: string, say: Say): Promise<string> {
  const mirror = debianMirror();
  const missing = ['apt-get', 'dpkg'].find((tool) => !onPath(tool, process.env));
  if (!mirror || missing) {
    throw new NotPossibleError(`a newer glibc can only be fetched on Debian${missing ? ` (no ${missing} here)` : ''}`);
  }
  return await makeEntry(entryOf(cache), say, (folder) =>
    withProgress('Fetching a newer glibc from Debian', () => fetchLibraries(folder, mirror)),
  );
}

async function fetchLibraries(folder: string, mirror: Mirror): Promise<void> {
  const work = join(folder, 'work');
  for (const name of ['lists/partial', 'cache/archives/partial', 'packages', 'unpacked']) {
    await mkdir(join(work, name), { recursive: true });
  }
  await writeFile(join(work, 'sources.list'), `deb [signed-by=${mirror.keyring}] ${mirror.uri} ${RELEASE} main\n`);
  const apt = [
    ['Dir::Etc::sourcelist', join(work, 'sources.list')],
    ['Dir::Etc::sourceparts', '-'],
    ['Dir::State::Lists', join(work, 'lists')],
    ['Dir::Cache', join(work, 'cache')],
    // apt drops root's rights for downloads, to a user that cannot write into a home folder.
    ['APT::Sandbox::User', 'root'],
    ['Acquire::http::Timeout', '10'],
    ['Acquire::https::Timeout', '10'],
  ].flatMap(([name, value]) => ['-o', `${name}=${value}`]);

  await runStep('apt-get', [...apt, '-o', 'APT::Update::Error-Mode=any', 'update'], work);
  await runStep('apt-get', [...apt, 'download', ...PACKAGES], join(work, 'packages'));
  for (const name of await readdir(join(work, 'packages'))) {
    await runStep('dpkg', ['-x', join(work, 'packages', name), join(work, 'unpacked')], work);
  }
  await copyLibraries(join(work, 'unpacked/usr/lib'), folder);
  await rm(work, { recursive: true });
}

/** All `.so` files of the library folder into one flat folder; links become files. */
async function copyLibraries(from: string, to: string): Promise<void> {
  const triplet = (await readdir(from)).find((name) => name.endsWith('-linux-gnu'));
  if (!triplet) throw new NotPossibleError(`the packages hold no libraries (${from})`);
  for (const name of await readdir(join(from, triplet))) {
    if (/\.so(\.|$)/.test(name)) await copyFile(join(from, triplet, name), join(to, name));
  }
}

/** @throws NotPossibleError with the last line that the program wrote */
async function runStep(command: string, args: string[], cwd: string): Promise<void> {
  const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], timeout: STEP_MS });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) {
    throw new NotPossibleError(
      `${command} ${args.at(-1)} failed: ${output.trim().split('\n').at(-1) || `exit code ${code}`}`,
    );
  }
}
