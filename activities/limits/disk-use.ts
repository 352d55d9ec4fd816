import { text } from 'node:stream/consumers';
import { signalGroup } from '#activities/processes/process-group.js';
import type { Launcher } from '#activities/processes/launcher.js';

const TIMEOUT_MS = 30_000;

/**
 * Disk usage of a folder in MiB. Measured by a separate `du` process, because walking 100,000 files would block the
 * worker.
 * @returns undefined when it is not known within 30 s or before the signal is aborted
 */
export async function diskUse(
  launcher: Pick<Launcher, 'launch'>,
  folder: string,
  signal: AbortSignal,
): Promise<number | undefined> {
  if (signal.aborted) return undefined;
  const env = { PATH: process.env.PATH ?? '/usr/bin:/bin' };
  const du = await launcher.launch({ command: ['du', '-skx', '--', folder], cwd: '/', env });
  if (!('pid' in du)) return undefined;
  du.stderr.resume(); // Ignores errors about files that disappear during the scan.
  let giveUp = () => {};
  // Not awaited after SIGKILL: on a dead network drive, `du` is stuck in the kernel.
  const givenUp = new Promise<undefined>((resolve) => {
    giveUp = () => {
      signalGroup(du.pid, 'SIGKILL');
      resolve(undefined);
    };
  });
  const timer = setTimeout(giveUp, TIMEOUT_MS);
  signal.addEventListener('abort', giveUp, { once: true });
  if (signal.aborted) giveUp();
  try {
    const [printed] = (await Promise.race([Promise.all([text(du.stdout), du.exited]), givenUp])) ?? [];
    const kib = /^\d+/.exec(printed ?? '')?.[0];
    return kib === undefined ? undefined : Number(kib) / 1024;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', giveUp);
  }
}
