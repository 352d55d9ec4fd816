import { text } from 'node:stream/consumers';
import { signalGroup } from '#activities/processes/process-group.js';
import type { Launcher } from '#activities/processes/launcher.js';

const LONGEST_MS = 30_000;

/**
 * How much a folder holds on its disk, in MiB, by `du`: a program of its own, since a walk through 100,000 files would take
 * the worker's time. @returns undefined when it cannot be told within 30 s
 */
export async function diskUse(launcher: Pick<Launcher, 'launch'>, folder: string): Promise<number | undefined> {
  const env = { PATH: process.env.PATH ?? '/usr/bin:/bin' };
  const du = await launcher.launch({ command: ['du', '-skx', '--', folder], cwd: '/', env });
  if (!('pid' in du)) return undefined;
  const kill = setTimeout(() => signalGroup(du.pid, 'SIGKILL'), LONGEST_MS);
  try {
    du.stderr.resume(); // What vanishes while it looks.
    const [printed] = await Promise.all([text(du.stdout), du.exited]);
    const kib = /^\d+/.exec(printed)?.[0];
    return kib === undefined ? undefined : Number(kib) / 1024;
  } finally {
    clearTimeout(kill);
  }
}
