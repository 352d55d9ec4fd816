import { spawn } from 'node:child_process';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { withProgress } from '#scripts/lib/progress.mjs';
import { nodeArgsFor } from '#tools/stack/paths.js';
import { NotPossibleError } from './not-possible.js';

/** A download without a new byte for this long is given up, in ms: a network that swallows packets says nothing. */
const STALL_MS = 30_000;
const LOOK_EVERY_MS = 1000;

/**
 * Runs a module that downloads into a folder, in a process of its own, because neither library can be told to give up.
 * @param module `download-….ts` of this folder; gets `folder` and `args`, prints the path of the executable as its
 *   last line, or the reason of its failure on stderr
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
  }, LOOK_EVERY_MS);
}

/** Bytes of all files; a file that vanishes meanwhile counts as none. */
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
