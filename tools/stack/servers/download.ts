import { spawn } from 'node:child_process';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { withProgress } from '#scripts/lib/progress.mjs';
import { nodeArgsFor } from '#tools/stack/paths.js';
import { NotPossibleError } from './not-possible.js';

/** Timeout of a download that makes no progress, for example when a firewall drops packets. */
const STALL_MS = 30_000;
const POLL_MS = 1000;

/**
 * Runs a module that downloads into a folder, in a separate process, because the libraries have no timeouts.
 * @param module `download-….ts` of this folder; receives `folder` and `args`, prints the path of the executable as its
 *   last line, or an error to stderr
 * @returns path of the executable
 * @throws NotPossibleError with the reason
 */
export async function download(what: string, module: string, folder: string, args: string[] = []): Promise<string> {
  const child = spawn(process.execPath, [...nodeArgsFor(module, import.meta.url), folder, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  let stalled = false;
  const watch = watchGrowth(folder, () => {
    stalled = true;
    child.kill('SIGKILL');
  });
  await withProgress(`Downloading ${what}`, async () => {
    const code = await ended.finally(() => clearInterval(watch));
    if (stalled) throw new NotPossibleError(`the download stalled for ${STALL_MS / 1000} s`);
    if (code !== 0) throw new NotPossibleError(err.trim().split('\n').at(-1) || `it exited with code ${code}`);
  });
  return out.trim().split('\n').at(-1)!;
}

function watchGrowth(folder: string, onStall: () => void): NodeJS.Timeout {
  let [size, since] = [-1, Date.now()];
  return setInterval(() => {
    void sizeOf(folder).then((now) => {
      if (now !== size) [size, since] = [now, Date.now()];
      else if (Date.now() - since > STALL_MS) onStall();
    });
  }, POLL_MS);
}

/** Bytes of all files; ignores files that are removed meanwhile. */
async function sizeOf(folder: string): Promise<number> {
  let total = 0;
  for (const name of await readdir(folder, { recursive: true })) {
    total += await stat(join(folder, name)).then(
      (found) => found.size,
      () => 0,
    );
  }
  return total;
}
