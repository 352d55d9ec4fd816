import { setTimeout as sleep } from 'node:timers/promises';
import { hasLivingMember } from './proc-scan.js';

/**
 * SIGKILL takes effect at once unless the process is stuck in the kernel (a dead network drive); then it is not waited
 * for.
 */
export const DEATH_MS = 5000;
const LONGEST_POLL_MS = 50;

/**
 * Signals every process of a group; signal 0 only checks.
 * @returns whether the group has a process, including zombies
 */
export function signalGroup(pgid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-pgid, signal);
    return true;
  } catch (error) {
    // EPERM: they exist, but belong to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Whether a process of the group is running. */
export function isGroupAlive(pgid: number): boolean {
  if (!signalGroup(pgid, 0)) return false;
  return process.platform !== 'linux' || hasLivingMember(pgid);
}

/** Waits until `isDone` returns true, for `deadlineMs` at most. @returns whether it did */
export async function waitUntil(isDone: () => boolean, deadlineMs: number): Promise<boolean> {
  const deadline = performance.now() + deadlineMs;
  for (let pollMs = 1; !isDone(); pollMs = Math.min(2 * pollMs, LONGEST_POLL_MS)) {
    if (performance.now() > deadline) return false;
    await sleep(pollMs);
  }
  return true;
}
