import { text } from 'node:stream/consumers';
import { signalGroup } from '#activities/processes/process-group.js';
import type { Launcher } from '#activities/processes/launcher.js';

const TIMEOUT_MS = 30_000;

/**
 * Disk usage of a folder in MiB. Measured by a separate `du` process, because walking 100,000 files would block the
 * worker.
 * @returns undefined when it is not known within 30 s
 */
export async function diskUse(launcher: Pick<Launcher, 'launch'>, folder: string): Promise<number | undefined> {
  const env = { PATH: process.env.PATH ?? '/usr/bin:/bin' };
  const du = await launcher.launch({ command: ['du', '-skx', '--', folder], cwd: '/', env });
  if (!('pid' in du)) return undefined;
  const kill = setTimeout(() => signalGroup(du.pid, 'SIGKILL'), TIMEOUT_MS);
  try {
    du.stderr.resume(); // Ignores errors about files that disappear during the scan.
    const [printed] = await Promise.all([text(du.stdout), du.exited]);
    const kib = /^\d+/.exec(printed)?.[0];
    return kib === undefined ? undefined : Number(kib) / 1024;
  } finally {
    clearTimeout(kill);
  }
}
