import { readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

/** A worker on another machine or in another container is told to be alive by its touch. */
export const TOUCH_MS = 60_000;
const SILENT_MS = 15 * TOUCH_MS;

const NAME = 'owner.json';

/** Who uses a folder. A process id means something in its own place only. */
interface Owner {
  place: string;
  pid: number;
  /** Of the process: ids come round. */
  startedAt: string;
}

const place = () => `${hostname()} ${tryTo(() => readlinkSync('/proc/self/ns/pid'))}`;

/** In clock ticks since the machine's start; empty where that is not known. */
const startOf = (pid: number) =>
  tryTo(() => readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)!.split(' ')[19]!);

function tryTo(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}

/** Says that this process uses a folder. */
export async function own(folder: string): Promise<void> {
  const owner: Owner = { place: place(), pid: process.pid, startedAt: startOf(process.pid) };
  await writeFile(join(folder, NAME), JSON.stringify(owner));
}

/** Says it again: to be repeated every minute. */
export async function touch(folder: string): Promise<void> {
  const now = new Date();
  await utimes(join(folder, NAME), now, now);
}

/** Whether the process that used a folder is gone. */
export async function isAbandoned(folder: string): Promise<boolean> {
  const file = join(folder, NAME);
  // One without a note has just been made, or its maker died in that moment.
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
