import { readFileSync, readdirSync } from 'node:fs';
import { processIdentity } from '#scripts/lib/process-identity.mjs';
import { waitUntil } from './processes/wait-until.js';
import type { Log } from './log.js';

/** Marks every process of a stack in its environment with the stack's data folder. */
export const STACK_VARIABLE = 'RUNHOOK_STACK_DIR';

const END_MS = 5000;

/**
 * Stops processes left running by an earlier stack of this folder whose supervisor and guard were both killed. Call it
 * only with the stack's lock. Linux only; other systems rely on the guard.
 */
export async function stopLeftovers(dataDir: string, log: Log): Promise<void> {
  const found = processesOf(dataDir);
  if (found.length === 0) return;
  log(`Stopping ${found.length} process${found.length === 1 ? '' : 'es'} left running by a previous start.`);
  for (const { pid } of found) kill(pid, 'SIGTERM');
  const living = () => found.filter(({ pid, identity }) => processIdentity(pid) === identity);
  await waitUntil('Waiting for processes to exit', () => living().length === 0, { timeoutMs: END_MS }).catch(() => {
    for (const { pid } of living()) kill(pid, 'SIGKILL');
  });
}

function processesOf(dataDir: string): { pid: number; identity: string }[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((name) => environmentOf(name).includes(`${STACK_VARIABLE}=${dataDir}`))
    .flatMap((name) => {
      const identity = processIdentity(Number(name));
      return identity ? [{ pid: Number(name), identity }] : [];
    });
}

function environmentOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  } catch {
    return []; // Another user's process, or it has just exited.
  }
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
