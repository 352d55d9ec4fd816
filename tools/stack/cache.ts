import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { withLock } from '#scripts/lib/lock.mjs';
import type { Log } from './log.js';

const MANIFEST = 'SHA256.json';
/** Longer than any build takes. */
const LOCK_TIMEOUT_MS = 30 * 60_000;

/** The checksum of a file is verified again only if its size or modification time has changed. */
interface FileFacts {
  sha256: string;
  size: number;
  mtimeMs: number;
}
type Manifest = Record<string, FileFacts>;

/**
 * The folder of an existing, intact cache entry; undefined if it is missing or a file does not match its checksum
 * (`createEntry` then replaces it).
 */
export async function findEntry(entry: string, log: Log): Promise<string | undefined> {
  const manifest = await readManifest(entry);
  if (!manifest) return undefined;
  let touched = false;
  for (const [name, known] of Object.entries(manifest)) {
    const file = join(entry, name);
    const now = await stat(file).catch(() => undefined);
    if (now && now.size === known.size && now.mtimeMs === known.mtimeMs) continue;
    if (!now || (await sha256Of(file)) !== known.sha256) {
      log(`${file} does not match its checksum and is not used.`);
      return undefined;
    }
    manifest[name] = { ...known, mtimeMs: now.mtimeMs };
    touched = true;
  }
  if (touched) await writeManifest(entry, manifest);
  return entry;
}

/**
 * The folder of a cache entry, which is created if necessary: in a draft folder that is renamed when it is complete. Of
 * two concurrent processes, the second waits for the first.
 * @param fill creates the content in a folder; its errors are thrown
 */
export async function createEntry(entry: string, log: Log, fill: (folder: string) => Promise<void>): Promise<string> {
  await mkdir(dirname(entry), { recursive: true });
  const onWait = (pid: number) => log(`Waiting for process ${pid}, which is creating ${basename(entry)}`);
  return await withLock(`${entry}.lock`, { timeoutMs: LOCK_TIMEOUT_MS, onWait }, async () => {
    const existing = await findEntry(entry, log);
    if (existing) return existing;
    await removeDrafts(entry);
    const draft = await mkdtemp(`${entry}.draft-`);
    try {
      await fill(draft);
      await writeManifest(draft, await describe(draft));
      await rm(entry, { recursive: true, force: true });
      await rename(draft, entry);
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
    return entry;
  });
}

/** Removes drafts of killed processes; safe, because the caller holds the entry's lock. */
async function removeDrafts(entry: string): Promise<void> {
  for (const name of await readdir(dirname(entry))) {
    if (name.startsWith(`${basename(entry)}.draft-`)) await rm(join(dirname(entry), name), { recursive: true });
  }
}

async function describe(folder: string): Promise<Manifest> {
  const manifest: Manifest = {};
  for (const found of await readdir(folder, { withFileTypes: true })) {
    if (!found.isFile()) continue;
    const file = join(folder, found.name);
    const { size, mtimeMs } = await stat(file);
    manifest[found.name] = { sha256: await sha256Of(file), size, mtimeMs };
  }
  return manifest;
}

async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

async function readManifest(entry: string): Promise<Manifest | undefined> {
  try {
    return JSON.parse(await readFile(join(entry, MANIFEST), 'utf8')) as Manifest;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

async function writeManifest(entry: string, manifest: Manifest): Promise<void> {
  const file = join(entry, MANIFEST);
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, JSON.stringify(manifest, null, 1));
  await rename(draft, file);
}
