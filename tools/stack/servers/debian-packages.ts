import { spawn } from 'node:child_process';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { debianMirror, type Mirror } from './debian-mirror.js';
import { NotPossibleError } from './not-possible.js';
import { onPath } from './on-path.js';

/** Timeout for a few hundred megabytes over a slow connection. */
const STEP_MS = 600_000;

export interface PackageRequest {
  names: string[];
  withDependencies?: boolean;
  /** Default: the machine's own release. */
  release?: string;
}

/**
 * The mirror to download packages from.
 * @param what for the message
 * @throws NotPossibleError on other systems than Debian
 */
export function usableMirror(what: string): Mirror {
  const mirror = debianMirror();
  const missing = ['apt-get', 'dpkg'].find((tool) => !onPath(tool, process.env));
  if (mirror && !missing) return mirror;
  throw new NotPossibleError(`${what} can only be downloaded on Debian${missing ? ` (${missing} not found)` : ''}`);
}

/**
 * Downloads and unpacks Debian packages with apt's signature checks, but does not install them: apt uses separate source
 * lists and state folders. Does not require root.
 * @param work an empty folder, to be removed by the caller
 * @returns the folder of the unpacked packages
 * @throws NotPossibleError
 */
export async function unpackPackages(mirror: Mirror, request: PackageRequest, work: string): Promise<string> {
  const [packages, unpacked] = [join(work, 'cache/archives'), join(work, 'unpacked')];
  for (const folder of [join(work, 'lists/partial'), join(packages, 'partial'), unpacked])
    await mkdir(folder, { recursive: true });
  const release = request.release ?? mirror.codename;
  await writeFile(join(work, 'sources.list'), `deb [signed-by=${mirror.keyring}] ${mirror.uri} ${release} main\n`);
  await writeFile(join(work, 'status'), '');
  const apt = aptOptions(work);
  await runStep('apt-get', [...apt, '-o', 'APT::Update::Error-Mode=any', 'update'], work);
  await (request.withDependencies
    ? runStep('apt-get', [...apt, '--yes', '--download-only', 'install', ...request.names], work)
    : runStep('apt-get', [...apt, 'download', ...request.names], packages));
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
    // The system's lock requires root, and is unnecessary, because nothing is installed.
    ['Debug::NoLocking', 'true'],
    // By default, apt downloads as a user without access to home folders.
    ['APT::Sandbox::User', 'root'],
    ['Acquire::http::Timeout', '10'],
    ['Acquire::https::Timeout', '10'],
  ].flatMap(([name, value]) => ['-o', `${name}=${value}`]);
}

/** @throws NotPossibleError with the last line of output */
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
