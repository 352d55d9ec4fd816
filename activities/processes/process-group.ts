import { setTimeout as sleep } from 'node:timers/promises';
import { hasLivingMember } from './proc-scan.js';

/** A SIGKILLed process is gone at once, unless the system holds it (a dead network drive): then it is not waited for. */
export const DEATH_MS = 5000;
const LONGEST_POLL_MS = 50;

/** Signals every process of a group; signal 0 only looks. Returns whether the group has a process, a zombie included. */
export function signalGroup(pgid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-pgid, signal);
    return true;
  } catch (error) {
    // EPERM: they are there, but another user's.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Whether a process of the group is alive. */
export function isGroupAlive(pgid: number): boolean {
  if (!signalGroup(pgid, 0)) return false;
  return process.platform !== 'linux' || hasLivingMember(pgid);
}

/** Waits until `isOver`, for `deadlineMs` at most. Returns whether it is over. */
export async function waitUntil(isOver: () => boolean, deadlineMs: number): Promise<boolean> {
  const deadline = performance.now() + deadlineMs;
  for (let pollMs = 1; !isOver(); pollMs = Math.min(2 * pollMs, LONGEST_POLL_MS)) {
    if (performance.now() > deadline) return false;
    await sleep(pollMs);
  }
  return true;
}
