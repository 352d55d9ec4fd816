import { spawn } from 'node:child_process';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { debianMirror, type Mirror } from './debian-mirror.js';
import { NotPossibleError } from './not-possible.js';
import { onPath } from './on-path.js';

/** A download of a few hundred megabytes on a slow line, in ms. */
const STEP_MS = 600_000;

export interface WantedPackages {
  names: string[];
  /** And all that they depend on. */
  withDependencies?: boolean;
  /** Undefined: the machine's own release. */
  release?: string;
}

/**
 * The mirror to fetch packages from.
 * @param what for the message
 * @throws NotPossibleError on a machine that is no Debian
 */
export function usableMirror(what: string): Mirror {
  const mirror = debianMirror();
  const missing = ['apt-get', 'dpkg'].find((tool) => !onPath(tool, process.env));
  if (mirror && !missing) return mirror;
  throw new NotPossibleError(`${what} can only be downloaded on Debian${missing ? ` (${missing} not found)` : ''}`);
}

/**
 * Fetches packages of Debian, with apt's signature checks, without touching the system: apt gets a sources list and
 * state folders of its own, by which nothing is installed, and the packages are only unpacked. Needs no root.
 * @param work an empty folder, the caller's to remove
 * @returns the folder in which they are unpacked
 * @throws NotPossibleError
 */
export async function unpackPackages(mirror: Mirror, wanted: WantedPackages, work: string): Promise<string> {
  const [packages, unpacked] = [join(work, 'cache/archives'), join(work, 'unpacked')];
  for (const folder of [join(work, 'lists/partial'), join(packages, 'partial'), unpacked])
    await mkdir(folder, { recursive: true });
  const release = wanted.release ?? mirror.codename;
  await writeFile(join(work, 'sources.list'), `deb [signed-by=${mirror.keyring}] ${mirror.uri} ${release} main\n`);
  await writeFile(join(work, 'status'), '');
  const apt = aptOptions(work);
  await runStep('apt-get', [...apt, '-o', 'APT::Update::Error-Mode=any', 'update'], work);
  await (wanted.withDependencies
    ? runStep('apt-get', [...apt, '--yes', '--download-only', 'install', ...wanted.names], work)
    : runStep('apt-get', [...apt, 'download', ...wanted.names], packages));
  for (const name of await readdir(packages))
    if (name.endsWith('.deb')) await runStep('dpkg', ['-x', join(packages, name), unpacked], work);
  return unpacked;
}

function aptOptions(work: string): string[] {
  return [
    ['Dir::Etc::sourcelist', join(work, 'sources.list')],
    ['Dir::Etc::sourceparts', '-'],
    ['Dir::State::Lists', join(work, 'lists')],
    ['Dir::State::status', join(work, 'status')],
    ['Dir::Cache', join(work, 'cache')],
    ['APT::Install-Recommends', 'false'],
    // The system's lock is root's, and not needed: nothing is installed.
    ['Debug::NoLocking', 'true'],
    // apt drops root's rights for downloads, to a user that cannot write into a home folder.
    ['APT::Sandbox::User', 'root'],
    ['Acquire::http::Timeout', '10'],
    ['Acquire::https::Timeout', '10'],
  ].flatMap(([name, value]) => ['-o', `${name}=${value}`]);
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
