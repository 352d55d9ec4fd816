import { existsSync } from 'node:fs';
import { lstat, mkdir, mkdtemp, readFile, readdir, realpath, rename, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ProcessRunner } from '#activities/processes/run-process.js';
import { removeTree } from './remove-tree.js';

/** A cache of folders that setups create, by key. Entries are created and removed atomically. */
export interface SetupCache {
  /** Copies the cached folders of a key into a working folder. @returns whether there is an entry */
  restore(key: string, keep: readonly string[], folder: string, signal: AbortSignal): Promise<boolean>;
  /** Caches folders under a key. @returns why not, if it fails */
  save(key: string, keep: readonly string[], folder: string, signal: AbortSignal): Promise<string | undefined>;
}

interface Entry {
  /** Name of the copy of each folder. */
  folders: Record<string, string>;
  kib: number;
}

const ENTRY = 'entry.json';

/**
 * @param folder of the cache, shared by the workers of a machine
 * @param maxBytes above this size, the least recently used entries are removed
 */
export function createSetupCache(options: { folder: string; maxBytes: number; processes: ProcessRunner }): SetupCache {
  const { folder: root, maxBytes, processes } = options;

  /** @returns its output; undefined if it failed */
  async function run(command: string[], signal: AbortSignal): Promise<string | undefined> {
    let output = '';
    const log = { write: async (_stream: string, chunk: Buffer | string) => void (output += chunk.toString()) };
    const env = { PATH: process.env.PATH ?? '', LC_ALL: 'C' };
    const exit = await processes.run({ command, cwd: '/', env }, { log, signal });
    return 'isStopped' in exit && exit.code === 0 ? output : undefined;
  }

  /** Uses `cp`, which is fast, shares blocks where the file system supports it, and can be stopped. */
  const copy = async (from: string, to: string, signal: AbortSignal) =>
    (await run(['cp', '-a', from, to], signal)) !== undefined;

  async function evict(): Promise<void> {
    const entries = await Promise.all((await readdir(root)).map((name) => sizeAndUse(join(root, name))));
    let bytes = 0;
    for (const entry of entries.filter((found) => found !== undefined).sort((a, b) => b.usedAt - a.usedAt))
      if ((bytes += entry.bytes) > maxBytes) await removeEntry(root, entry.path);
  }

  return {
    async restore(key, keep, folder, signal) {
      const path = join(root, key);
      const entry = await readEntry(path);
      if (!entry) return false;
      await utimes(path, new Date(), new Date()).catch(() => {});
      for (const name of keep) {
        const copied = entry.folders[name];
        if (copied === undefined) continue;
        const to = join(folder, name);
        await mkdir(dirname(to), { recursive: true });
        if (!(await isInside(dirname(to), folder))) return false;
        await removeTree(to);
        // The entry may just have been evicted; then the setup runs.
        if (!(await copy(join(path, copied), to, signal))) return false;
      }
      return true;
    },

    async save(key, keep, folder, signal) {
      if (existsSync(join(root, key))) return undefined;
      const created = await mkdtemp(join(root, 'new-'));
      try {
        const entry: Entry = { folders: {}, kib: 0 };
        for (const [index, name] of keep.entries()) {
          const from = join(folder, name);
          const found = await lstat(from).catch(() => undefined);
          if (!found?.isDirectory()) return `${name} does not exist or is not a folder`;
          if (!(await copy(from, join(created, String(index)), signal))) return `${name} could not be copied`;
          entry.folders[name] = String(index);
        }
        entry.kib = parseInt((await run(['du', '-sk', created], signal)) ?? '0');
        if (entry.kib * 1024 > maxBytes)
          return 'the folders are larger than the setup cache of the worker (RUNHOOK_SETUP_CACHE_MIB)';
        await writeFile(join(created, ENTRY), JSON.stringify(entry));
        await rename(created, join(root, key)).catch(() => {}); // Created concurrently.
        await evict();
        return undefined;
      } finally {
        await removeTree(created);
      }
    },
  };
}

async function readEntry(path: string): Promise<Entry | undefined> {
  return readFile(join(path, ENTRY), 'utf8').then(
    (text) => JSON.parse(text) as Entry,
    () => undefined,
  );
}

async function sizeAndUse(path: string): Promise<{ path: string; bytes: number; usedAt: number } | undefined> {
  const [entry, found] = await Promise.all([readEntry(path), stat(path).catch(() => undefined)]);
  return entry && found && { path, bytes: entry.kib * 1024, usedAt: found.mtimeMs };
}

/** Renames first, so that no one copies a partial entry. */
async function removeEntry(root: string, path: string): Promise<void> {
  const old = await mkdtemp(join(root, 'old-'));
  await rename(path, join(old, 'entry')).catch(() => {}); // Removed concurrently.
  await removeTree(old);
}

async function isInside(path: string, folder: string): Promise<boolean> {
  const [real, root] = await Promise.all([realpath(path), realpath(folder)]);
  return real === root || real.startsWith(`${root}/`);
}
