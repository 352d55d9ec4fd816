import { readFileSync, writeFileSync } from 'node:fs';

/*
 * Resident memory of a process, from Linux's /proc: the kernel's peak, because samples could miss it.
 */

/** Resets the peak. */
export function resetPeakMemory(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

/** MiB since the last reset. */
export function peakMemory(pid: number): number {
  const peak = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(peak) / 1024;
}
