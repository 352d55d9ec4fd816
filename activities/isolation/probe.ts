import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Sandboxes } from './sandbox.js';

const PROBE_MS = 10_000;

/**
 * Tries to escape from a sandbox as a test could: by the processes of the machine, the worker's files and the system's
 * folders. Arguments: a folder of the worker, a writable folder.
 */
const ESCAPES = `
[ "$(echo /proc/[0-9]*| wc -w)" -lt 6 ] || { echo "the processes of the machine are visible"; exit 1; }
! ls "$1" >/dev/null 2>&1 || { echo "the folders of the worker are visible"; exit 1; }
! test -w /proc/sys/kernel/core_pattern || { echo "settings of the kernel are writable"; exit 1; }
! touch /usr/runhook-probe 2>/dev/null || { echo "the system is writable"; exit 1; }
touch "$2/probe" && touch "$HOME/probe" && touch /tmp/probe || { echo "its own folders are not writable"; exit 1; }
`;

/** @returns why the isolation does not hold or cannot be used; undefined when it holds */
export async function probe(sandboxes: Sandboxes, folder: string): Promise<string | undefined> {
  const root = await mkdtemp(join(folder, 'probe-'));
  const [home, tmp, own, hidden] = ['home', 'tmp', 'own', 'hidden'].map((name) => join(root, name)) as [
    string,
    string,
    string,
    string,
  ];
  try {
    for (const one of [home, tmp, own, hidden]) await mkdir(one);
    const [program = '', ...args] = sandboxes.via({ home, tmp, readable: [], writable: [own], hidden: [] }, own);
    const env = { PATH: '/usr/bin:/bin', HOME: '/home/test' };
    await promisify(execFile)(program, [...args, 'sh', '-c', ESCAPES, 'sh', hidden, own], { env, timeout: PROBE_MS });
    return undefined;
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as { stdout?: string; stderr?: string; message: string };
    const why = (stdout || stderr || message).trim().split('\n')[0];
    return `bubblewrap does not work on this machine (${why}). In a container, allow user namespaces or run one test per container`;
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}
