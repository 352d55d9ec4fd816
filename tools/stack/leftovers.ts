import { readFileSync, readdirSync } from 'node:fs';
import { processIdentity } from '#scripts/lib/process-identity.mjs';
import { waitUntil } from './processes/wait-until.js';
import type { Say } from './say.js';

/** Marks every process of a stack in its environment with the stack's data folder. */
export const STACK_VARIABLE = 'RUNHOOK_STACK_DIR';

const END_MS = 5000;

/**
 * Ends what an earlier stack of this folder has left running, which takes a SIGKILL of the supervisor and of its guard
 * at once. To be called by the holder of the stack's lock only. Linux; elsewhere there is the guard alone.
 */
export async function endLeftovers(dataDir: string, say: Say): Promise<void> {
  const found = processesOf(dataDir);
  if (found.length === 0) return;
  say(`Stopping ${found.length} process${found.length === 1 ? '' : 'es'} left running by a previous start.`);
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
    return []; // Another user's, or just gone.
  }
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
