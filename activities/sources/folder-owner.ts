import { readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

/**
 * Interval at which workers touch their owner file. Workers on other machines or in other containers count as alive by
 * it.
 */
export const TOUCH_MS = 60_000;
const SILENT_MS = 15 * TOUCH_MS;

const NAME = 'owner.json';

/** The owner of a folder. Process ids are only comparable within one `place`: a host and its pid namespace. */
interface Owner {
  place: string;
  pid: number;
  /** Start time of the process, because ids are reused. */
  startedAt: string;
}

const place = () => `${hostname()} ${tryTo(() => readlinkSync('/proc/self/ns/pid'))}`;

/** Start time in clock ticks since boot; empty if unknown. */
const startOf = (pid: number) =>
  tryTo(() => readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)!.split(' ')[19]!);

function tryTo(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}

/** Makes this process the owner of a folder. */
export async function claimFolder(folder: string): Promise<void> {
  const owner: Owner = { place: place(), pid: process.pid, startedAt: startOf(process.pid) };
  await writeFile(join(folder, NAME), JSON.stringify(owner));
}

/** Confirms that the owner is alive; to be called every minute. */
export async function touchFolder(folder: string): Promise<void> {
  const now = new Date();
  await utimes(join(folder, NAME), now, now);
}

/** Whether the process that owned a folder has exited. */
export async function isAbandoned(folder: string): Promise<boolean> {
  const file = join(folder, NAME);
  // Without an owner file, the folder was just created, or its owner died at that moment.
  const { mtimeMs } = await stat(file).catch(() => stat(folder));
  const owner = await readFile(file, 'utf8').then(
    (text) => JSON.parse(text) as Owner,
    () => undefined,
  );
  if (owner?.place === place()) return !isAlive(owner);
  return Date.now() - mtimeMs > SILENT_MS;
}

function isAlive({ pid, startedAt }: Owner): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return startOf(pid) === startedAt;
}
